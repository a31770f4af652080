//go:build race && linux

package race

import (
	"runtime"
	"syscall"
	"unsafe"
)

// Sending says that p is about to be given to the kernel by a raw system call. What was done before is then known to
// whoever receives it: the detector takes that from package syscall, and every write of it is before every read.
func Sending(p []byte) {
	runtime.RaceReadRange(unsafe.Pointer(unsafe.SliceData(p)), len(p))
	_, _ = syscall.Write(-1, nil) // fails, but the detector has been told
}

// Received says that the kernel has written to p by a raw system call on a socket.
func Received(socket uintptr, p []byte) {
	runtime.RaceWriteRange(unsafe.Pointer(unsafe.SliceData(p)), len(p))
	_, _ = syscall.Read(int(socket), nil) // reads nothing, but the detector has been told
}
