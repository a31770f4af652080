// Its presence lets inside.go declare functions without bodies.
