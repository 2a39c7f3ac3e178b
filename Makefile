# Every command of the project. `make` alone lists them. Needs npm; brings Node 24 where the machine's is older.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

WITH_NODE := hack/with-node
INSTALLED := node_modules/.package-lock.json
SOURCES := $(shell find src schemas hack -type f -name '*.ts' -o -type f -name '*.yaml')

# Flags for `make run`, e.g. make run ARGS=--naming=kubernetes
ARGS ?=
# What `make test` and `make test-unit` run, e.g. make test TESTS='test/unit/authn/**/*.test.ts'
TESTS ?= {test,examples}/**/*.test.ts
# Which specs `make conformance` runs, e.g. make conformance SPECS='Lease|ConfigMap'
SPECS ?= .
# How often `make soak` kills each store
KILLS ?= 200
# How many control planes `make soak` starts and stops in one process, one after the other
PLANES ?= 1000
# How many cases of each law `make soak` tries
LAWS ?= 100000

.PHONY: help run test test-unit lint typecheck format format-fix build schemas mocha bench envtest-assets interop conformance soak clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

run: build ## build and start a control plane on https://127.0.0.1:6443, with its data in .orch
	@exec hack/orchd $(ARGS)

build: dist/cli/orchd.js ## build dist/

dist/cli/orchd.js: $(INSTALLED) $(SOURCES) package.json tsconfig.json tsconfig.build.json
	@$(WITH_NODE) npm run --silent build
	@touch $@

$(INSTALLED): package.json package-lock.json
	@$(WITH_NODE) npm ci --loglevel=error
	@touch $@

test: lint typecheck format mocha ## check and test everything

test-unit: schemas ## run the unit tests
	@$(WITH_NODE) mocha --reporter hack/reporter.ts 'test/unit/**/*.test.ts' 'test/architecture/**/*.test.ts'

# The examples import the package by its name: what is built. Where it can't be, the other tests run nevertheless.
mocha: schemas
	-@$(MAKE) build
	@hack/get-etcd >/dev/null
	@$(WITH_NODE) mocha --reporter hack/reporter.ts '$(TESTS)'

schemas: $(INSTALLED)
	@$(WITH_NODE) npm run --silent build:schemas

lint: $(INSTALLED) ## find mistakes with eslint
	@$(WITH_NODE) npm run --silent lint

typecheck: $(INSTALLED) ## check types
	@$(WITH_NODE) npm run --silent typecheck

format: $(INSTALLED) ## check that everything is formatted
	@$(WITH_NODE) npm run --silent format

format-fix: $(INSTALLED) ## format everything
	@$(WITH_NODE) npm run --silent format:fix

bench: build ## measure speed and memory, beside a Go API server where there is one
	@$(WITH_NODE) node bench/compare/compare.ts

envtest-assets: build ## make the folder that KUBEBUILDER_ASSETS names, for tests with controller-runtime's envtest, and print it
	@hack/envtest-assets

interop: build ## test with kubectl and the Go API server of release 1.32 (on PATH or in $PEERS/bin)
	@$(WITH_NODE) mocha --reporter hack/reporter.ts 'test/interop/**/*.interop.ts'

conformance: build ## run specs of the upstream e2e suite (e2e.test and kubectl of release 1.32 on PATH or in $PEERS/bin)
	@hack/e2e '$(SPECS)'

soak: build ## kill each store $(KILLS) times during writes, start $(PLANES) control planes in one process, and try each law $(LAWS) times
	@SOAK_KILLS=$(KILLS) SOAK_CONTROL_PLANES=$(PLANES) LAW_RUNS=$(LAWS) $(WITH_NODE) mocha --reporter hack/reporter.ts 'test/robustness/**/*.test.ts' 'test/properties/**/*.test.ts'

clean: ## remove what was built and installed, but not .orch
	@rm -rf dist node_modules .tools coverage
