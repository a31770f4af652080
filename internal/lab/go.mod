module github.com/slotcast/slotcast/internal/lab

go 1.25.0

require github.com/slotcast/slotcast v0.0.0

require github.com/uber/h3-go/v4 v4.5.0 // indirect

replace github.com/slotcast/slotcast => ../..
