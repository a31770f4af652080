# The commands of the repository. A bare make lists them.

ADDRS    ?=
ARGS     ?=
BENCH    ?= .
CHAOS    ?= 60s
FUZZTIME ?= 30s
QUICK    ?=
SEED     ?=
SERVERS  ?=

.DEFAULT_GOAL := help
.SILENT:

.PHONY: help
help:
	echo 'Commands:'
	sed -n 's/^## /  make /p' $(firstword $(MAKEFILE_LIST))

## demo                   a batch of routes through a throwaway cluster; ADDRS=host:port,… uses yours, under its own prefix
.PHONY: demo
demo:
	scripts/setup $(if $(ADDRS),no-server)
	go run ./internal/demo $(if $(ADDRS),-addrs '$(ADDRS)')

## test                   all tests with -race, real clusters included, and the allocation budgets without it
.PHONY: test
test:
	scripts/setup
	scripts/test

## test-matrix SERVERS=d  the tests that use real servers, with each redis-server or valkey-server in folder d
.PHONY: test-matrix
test-matrix:
	scripts/setup no-server
	scripts/test-matrix '$(SERVERS)'

## lint                   gofmt, go vet, staticcheck, tidy modules, builds without cgo
.PHONY: lint
lint:
	scripts/setup no-server
	scripts/lint

## bench                  all benchmarks; BENCH=regexp chooses
.PHONY: bench
bench:
	scripts/setup
	scripts/modules go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

## fuzz                   each fuzz target for FUZZTIME=30s
.PHONY: fuzz
fuzz:
	scripts/setup no-server
	scripts/fuzz '$(FUZZTIME)'

## chaos                  a cluster under load with faults at random for CHAOS=60s; SEED=n repeats a run
.PHONY: chaos
chaos:
	scripts/setup
	go run ./internal/chaos -duration '$(CHAOS)' $(if $(SEED),-seed '$(SEED)')

## compare                this library beside the other clients; QUICK=1 does 3,000 pairs on 3 primaries only; ARGS=-h
.PHONY: compare
compare:
	scripts/setup
	go build -C internal/compare -o ../../bin/compare .
	bin/compare $(if $(QUICK),-quick) $(ARGS)

## lab                    all experiments, into lab-report.html; ARGS="<command> …" runs one, ARGS=-h lists them
.PHONY: lab
lab:
	scripts/setup $(if $(filter walk codec resolution -h,$(ARGS))$(findstring -addrs,$(ARGS)),no-server)
	go build -C internal/lab -o ../../bin/lab .
	bin/lab $(ARGS)

## lab-test               the page of the lab in a real Chromium, which is installed where missing; screenshots in tmp/lab
.PHONY: lab-test
lab-test:
	scripts/setup
	scripts/lab-test
