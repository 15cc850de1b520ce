# `make help` is the manual: what follows ## is a target's line in it.
# Works with GNU make from 3.81 on.

SHELL := bash
MAKEFLAGS += --no-print-directory

# What a caller may set.
ARGS        ?=
FUZZTIME    ?= 30s
SOAK        ?= 10000000
STARTS      ?= 50
LAMBDA_ARCH ?= $(if $(shell grep -s '^[^#]*Architecture=x86_64' samconfig.toml),amd64,arm64)
DIST        ?= dist

# Compilers and linters end soon: with less garbage collection they take a quarter less of the processor.
HASTY := GOGC=400 GOMEMLIMIT=3GiB

GOLANGCI_VERSION    := 2.15.0
GOVULNCHECK_VERSION := v1.8.0
GOTESTSUM_VERSION   := v1.13.0
GREMLINS_VERSION    := v0.6.0
VALE_VERSION        := v3.17.1
GOLANGCI            := $(HASTY) $(CURDIR)/.tools/golangci-lint
GOTESTSUM           := $(CURDIR)/.tools/gotestsum-$(GOTESTSUM_VERSION)
GREMLINS            := $(CURDIR)/.tools/gremlins-$(GREMLINS_VERSION)
VALE                := $(CURDIR)/.tools/vale-$(VALE_VERSION)

# What Lambda runs: a static binary with nothing of this machine in it. One tag
# leaves out the RPC mode, which only the old runtime used; the other HTTP/2, which
# DynamoDB does not speak.
LAMBDA_TAGS := lambda.norpc,nethttpomithttp2
LAMBDA      := CGO_ENABLED=0 GOOS=linux GOARCH=$(LAMBDA_ARCH) go build -trimpath -tags $(LAMBDA_TAGS) -ldflags '-s -w'

# The directories that have a program in them, as far as they are written.
FUNCTIONS := $(patsubst functions/%/main.go,%,$(wildcard functions/*/main.go))
COMMANDS  := $(patsubst cmd/%/main.go,%,$(wildcard cmd/*/main.go))

# $(call step,words,command) says what is done, how long it took, and what went wrong if it did.
step = @printf '%-34s' '$(1)'; SECONDS=0; \
	if output=$$($(2) 2>&1); then printf 'ok %5d s%s\n' $$SECONDS \
		"$$(sed -n 's/^DONE \([0-9]*\) tests.*/  \1 passed, 0 failed/p' <<<"$$output")"; \
	else status=$$?; printf 'failed %d s\n%s\n' $$SECONDS "$$output"; exit $$status; fi

.DEFAULT_GOAL := help

##@ Every day

.PHONY: help
help: ## this list
	@awk 'BEGIN { FS = ":[^#]*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-zA-Z0-9_-]+:.*## / { printf "  make %-21s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo

# Without clients of databases, of Redis, of AWS and of Prometheus it has half of the packages, and without tables for
# debuggers and inlining each compiles sooner (ADR 7). Ctrl-C ends it without an error.
LEAN := -tags=lean,$(LAMBDA_TAGS) -ldflags='-s -w' -gcflags=all='-dwarf=false -l' -o bin/lean/laurel ./cmd/laurel

.PHONY: dev
dev: ## Laurel on http://localhost:8080 with nothing installed (ARGS='--data DIR'; with --redis or --dynamodb: go run ./cmd/laurel dev)
	@go build $(LEAN) && bin/lean/laurel dev $(ARGS)

.PHONY: try
try: ## a forum with 40 members on http://localhost:8080, made up and gone when you stop it
	@echo 'Go fetches and compiles Laurel, the first time for up to a minute; then open http://localhost:8080'
	@go build $(LEAN) && bin/lean/laurel dev --demo $(ARGS)

.PHONY: fmt
fmt: tools ## format everything: gofumpt and goimports
	$(GOLANGCI) fmt

.PHONY: fix
fix: tools ## everything that mends itself: go fix, the linters' own fixes, go mod tidy, formats
	go fix ./...
	go mod tidy
	go -C integrations/client/go mod tidy
	$(GOLANGCI) run --fix
	$(GOLANGCI) fmt

##@ On your own machine, with sam (CONTRIBUTING.md)

.PHONY: up
up: ## start Valkey and DynamoDB Local in containers, wait for them, make the table, with ada's name, and the boards
	docker compose up --detach --wait
	printf 'id,name\nada,Ada Lovelace\n' | go run ./cmd/laurel import --profiles - --redis redis://localhost:6379 --dynamodb http://localhost:8000

.PHONY: down
down: ## stop them; they forget everything
	docker compose down

##@ Before a commit

.PHONY: setup
setup: ## set up what the tests need: Redis, Valkey, DynamoDB Local, aws-sam-cli, a container engine, Chromium
	@scripts/setup

.PHONY: check
# Tests, linters and programs are built as the functions are: what is tested is what runs in Lambda, and compiled
# once. A released laurel has HTTP/2 beside it.
check: export CGO_ENABLED := 0
check: export GOFLAGS := $(GOFLAGS) -trimpath -tags=$(LAMBDA_TAGS)
check: ## exactly what CI runs: all of the below, then the tests
	@$(MAKE) $(together) setup tools $(VALE) $(GOTESTSUM)
	@$(MAKE) static test-programs
	@out=$$(mktemp); $(MAKE) test-sam >"$$out" 2>&1 & stack=$$!; \
	if $(MAKE) test-packages RACED='$(concurrent)' && $(MAKE) $(together) test-race test-client-go; then \
		wait $$stack; ended=$$?; cat "$$out"; rm "$$out"; exit $$ended; \
	else kill $$stack; exit 1; fi # the containers mostly wait

# Two targets at once, each with its lines together.
together = -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

.PHONY: static
static: tools $(VALE) ## what reads the code: modules, formats, linters (go vet and most of go fix among them), prose
	$(call step,go mod tidy,go mod tidy -diff)
	$(call step,formats,$(GOLANGCI) fmt --diff)
	$(call step,linters,$(GOLANGCI) run)
	$(call step,prose,$(VALE) $(prose))

.PHONY: test
test: test-programs test-packages ## every test on Redis, and those of the view on Valkey

.PHONY: test-programs
test-programs: $(GOTESTSUM)
	$(call step,tests that start programs,LAUREL_TEST_SERVER=redis $(tested) -p 2 $(programs))

# In check those that the race detector watches run with it alone, and those of stores on Valkey too.
RACED :=

.PHONY: test-packages
test-packages: $(GOTESTSUM)
	$(call step,all other tests,LAUREL_TEST_SERVER=redis $(tested) -p 3 $$(go list ./... | grep -vxE '$(call either,$(patsubst ./%,laurel/%,$(programs) $(RACED)))'))
	$(call step,tests on Valkey,LAUREL_TEST_SERVER=valkey $(tested) ./shared/store/view/redisview ./shared/forum/recording)

# Tests wait for servers: more of them at once than there are processors. CI, which sets CI, runs them in any
# order; elsewhere a package that has not changed need not be tested again.
tested = $(GOTESTSUM) --format pkgname-and-test-fails --format-hide-empty-pkg --hide-summary skipped -- $(if $(CI),-shuffle=on) -parallel 4

# The first one mostly waits; each of the others has all processors busy by itself.
programs = ./internal/e2e ./cmd/laurel ./internal/browser

empty :=
either = $(subst $(empty) ,|,$(strip $(1)))

.PHONY: test-race
test-race: $(GOTESTSUM) ## reports, nights, imports, events and the view with the race detector
	$(call step,with the race detector,LAUREL_TEST_SERVER=redis $(raced) $(concurrent))

# A program with the race detector would wait a second before it ends.
raced = CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 $(tested) -race

# The race detector takes four times the CPU. In check it watches packages that start goroutines or call those that do;
# in check-long all but those whose tests do one thing after the other.
concurrent = $(addprefix ./shared/,forum/events forum/night forum/recording run/importer run/localserver store/view/redisview)
single = /(cmd/laurel|internal/(bench|repocheck|walk))$$

.PHONY: test-client-go
test-client-go: tools $(GOTESTSUM) ## the client in Go, a module of its own; that in JavaScript is tested by test-forums
	$(call step,go mod tidy and go vet of it,go -C integrations/client/go mod tidy -diff && go -C integrations/client/go vet ./...)
	$(call step,linters of it,cd integrations/client/go && $(GOLANGCI) run ./...)
	$(call step,the client on laurel dev,cd integrations/client/go && CGO_ENABLED=1 $(tested) -race -count=1 .)

stack_tags := sam,$(LAMBDA_TAGS)

.PHONY: test-sam
test-sam: $(GOTESTSUM) ## the stack as sam builds it, and the image of serve, run in containers on Valkey
	$(call step,the stack in containers,LAUREL_TEST_SERVER=valkey $(tested) -tags $(stack_tags) -run TestStack -count=1 -timeout 20m ./internal/e2e)

.PHONY: lint
lint: tools ## the linters alone
	$(GOLANGCI) run

# What readers read; docs/adr tells what was decided, in the words of then.
prose = $(wildcard *.md docs/*.md integrations/*/README.md integrations/client/*/README.md) cmd/laurel/manual.txt

.PHONY: prose
prose: $(VALE) ## the style of the docs and of laurel help
	@$(VALE) $(prose)

.PHONY: tools
tools: ## the linters at their pinned version, into .tools (about 3 minutes the first time)
	@if [ "$$($(GOLANGCI) version --short 2>/dev/null)" != '$(GOLANGCI_VERSION)' ]; then \
		echo 'golangci-lint $(GOLANGCI_VERSION) is built once; that takes about 3 minutes'; \
		$(HASTY) GOBIN='$(CURDIR)/.tools' go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(GOLANGCI_VERSION); \
	fi

# Tools of one version each, $(call tool,package,program), whose downloads are told if one fails. Vale needs C.
tool = @mkdir -p .tools; $(HASTY) CGO_ENABLED=1 GOBIN='$(CURDIR)/.tools' go install $(1) >.tools/install.log 2>&1 || \
	{ cat .tools/install.log; exit 1; }; mv .tools/$(2) $@

$(GOTESTSUM):
	$(call tool,gotest.tools/gotestsum@$(GOTESTSUM_VERSION),gotestsum)

$(GREMLINS):
	$(call tool,github.com/go-gremlins/gremlins/cmd/gremlins@$(GREMLINS_VERSION),gremlins)

$(VALE):
	$(call tool,github.com/errata-ai/vale/v3/cmd/vale@$(VALE_VERSION),vale)

##@ Now and then

# What decides, and about how many lines of each are mutated.
MUTATED ?= $(addprefix shared/,core/activity core/article core/board core/codec core/ledger core/signatures api/hooks api/wire store/items \
	forum/recording store/view/redisview store/view/memory store/view/memory/ranking)
SEED    ?= 1
LINES   ?= 60

.PHONY: mutate
mutate: $(GREMLINS) setup ## single operators of a seeded sample of lines are changed: which changes no test notices (SEED=1 LINES=60 MUTATED=shared/core/ledger)
	@LAUREL_TEST_SERVER=redis GREMLINS=$(GREMLINS) scripts/mutate $(SEED) $(LINES) $(MUTATED)

.PHONY: check-api
check-api: ## the OpenAPI document by redocly, laurel dev by generated clients (Python, TypeScript; Go is compiled) and schemathesis (ARGS='--max-examples 20'); needs npm
	scripts/check-api $(ARGS)

.PHONY: check-stack
check-stack: ## template.yaml on an emulator of CloudFormation: made, changed by each parameter, deleted
	scripts/check-stack

.PHONY: test-forums
test-forums: ## a WordPress with MariaDB, used as members do, and harnesses of other forums, against Laurel (installs Debian's packages; NodeBB's and the client in JavaScript need Node 20)
	$(call step,plugins in PHP,scripts/check-php)
	@go test -tags forums -count=1 -v -timeout 30m ./integrations

.PHONY: check-long
check-long: check ## check, then what takes long, before an issue is resolved: long random walks, many kills, fuzzing, the stack, forums
	go fix -diff ./...
	LAUREL_LONG=1 go test -count=1 -timeout 0 ./...
	LAUREL_LONG=1 $(MAKE) test-sam
	LAUREL_TEST_SERVER=redis $(raced) $$(go list ./... | grep -vE '$(single)')
	LAUREL_TEST_SERVER=redis $(raced) -run 'Kill|IsLost' ./cmd/laurel
	@$(MAKE) check-api
	@$(MAKE) check-stack
	@$(MAKE) test-forums
	@$(MAKE) soak
	@$(MAKE) fuzz

.PHONY: fuzz
fuzz: ## every fuzz target for a while (FUZZTIME=30s each)
	@set -e; for package in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u); do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime '$(FUZZTIME)' $$package; \
		done; \
	done

.PHONY: soak
soak: ## the promises on millions of random activities (SOAK=10000000)
	LAUREL_SOAK=$(SOAK) go test -timeout 0 -run 'LedgersAreAFunction|LivesOfPeriods' ./shared/core/ledger

.PHONY: bench
bench: ## what a user takes in Redis and in the table
	LAUREL_LONG=1 go test -count 1 -v -run MemoryOfAUser ./internal/bench $(ARGS)

.PHONY: pictures
pictures: ## the pictures of README and docs, taken again of a demo in Chromium; wordpress.png is test-forums' (docs/*.png, docs/*.svg; needs pngquant)
	@type -P pngquant >/dev/null || { echo 'make pictures: install pngquant (Debian: apt-get install pngquant)' >&2; exit 1; }
	go test ./cmd/laurel -run 'TestScripts/pictures' -count=1 -update
	pngquant --force --ext .png --strip --quality 85-100 docs/*.png # a third of the bytes, in every archive

.PHONY: simulate
simulate: ## days of a busy site in virtual time, and what becomes of its articles (docs/articles.md)
	go run ./internal/bench simulate $(ARGS)

# The old version: the last commit before ledgers were in the table.
BENCH_BASE ?= 67021aa0bf6ceb2111079212603e8b27970eceee

.PHONY: bench-http
bench-http: ## a request's CPU in BENCH_BASE against the working tree (ARGS='-benchtime 1000x -count 6')
	rm -rf $(DIST)/bench && mkdir -p $(DIST)/bench/source
	git archive $(BENCH_BASE) | tar -x -C $(DIST)/bench/source
	cd $(DIST)/bench/source && go build -buildvcs=false -o ../old ./cmd/laurel
	go build -o $(DIST)/bench/new ./cmd/laurel
	BENCH_OLD=$(abspath $(DIST))/bench/old BENCH_NEW=$(abspath $(DIST))/bench/new \
		go test -run '^$$' -bench Requests -timeout 0 ./internal/bench $(ARGS)

.PHONY: bench-ecpu
bench-ecpu: ## what a request takes of Valkey, in the units of ElastiCache Serverless (ARGS=-update records it)
	LAUREL_TEST_SERVER=valkey go test -run '^$$' -bench ECPU -benchtime 1x ./internal/bench $(ARGS)

.PHONY: bench-peers
bench-peers: ## laurel serve beside other leaderboards (PODIUM=path MICRO=path of their programs, PEER_ROUNDS=7 PEER_FOR=1s)
	go build -o $(DIST)/bench/laurel ./cmd/laurel
	LAUREL=$(abspath $(DIST))/bench/laurel PODIUM=$(abspath $(PODIUM)) MICRO=$(abspath $(MICRO)) \
		go test -run '^$$' -bench Peers -benchtime 1x -timeout 0 ./internal/bench $(ARGS)

.PHONY: bench-boards
bench-boards: ## a new board of 100,000 members with 13 months of ledgers, and a report with further boards
	LAUREL_LONG=1 go test -run '^$$' -bench 'NewBoard|ReportsOfBoards' -benchtime 1x -timeout 0 ./internal/bench $(ARGS)

.PHONY: bench-growth
bench-growth: ## a request of a view in the process with 10,000,000 members beside one with 10,000: 8 GB, 10 minutes
	LAUREL_LONG=1 GOGC=50 go test -run '^$$' -bench Growth -benchtime 60x -timeout 0 ./internal/bench $(ARGS)

.PHONY: bench-night
bench-night: ## the final board of a month of 150,000 people, and of a million, by one of two archives
	LAUREL_LONG=1 go test -run '^$$' -bench Night -benchtime 1x -timeout 0 ./internal/bench $(ARGS)

.PHONY: bench-coldstart
bench-coldstart: ## how soon the functions' binaries start and answer, and their sizes (STARTS=50)
	go test -run '^$$' -bench ColdStart -benchtime '$(STARTS)x' ./internal/e2e

.PHONY: cover
cover: ## what the tests reach, in all packages together; the details in cover.out
	go test -coverpkg=./... -coverprofile=cover.out ./...
	@go tool cover -func=cover.out | tail -n 1

.PHONY: vuln
vuln: ## known faults in what Laurel uses; asks an online database, so it is not in check
	go run golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION) ./...

##@ Programs

.PHONY: build
build: $(addprefix dist/,$(FUNCTIONS)) $(addprefix bin/,$(COMMANDS)) ## the functions for Lambda into dist/, the command line into bin/

.PHONY: release
release: ## what a release has, into dist/release: six platforms, the plugins, the image, the stack, checksums
	scripts/release $(DIST)/release

.PHONY: plugins
plugins: ## the plugins for forums into dist/plugins, each as its forum's directory takes it, and checked
	@go run ./internal/plugins $(DIST)/plugins

.PHONY: release-check
release-check: setup ## two builds of a release in different folders are equal, and each file is what it should be
	scripts/release-check

# Go knows what has changed; make does not, so these are always asked for.
.PHONY: $(addprefix dist/,$(FUNCTIONS)) $(addprefix bin/,$(COMMANDS))
$(addprefix dist/,$(FUNCTIONS)): dist/%:
	$(LAMBDA) -o $(DIST)/$*/bootstrap ./functions/$*

# What makes the image of a program that is built already.
.PHONY: dist/Dockerfile
dist/Dockerfile:
	@sed '/^FROM golang/,/^$$/d; s/--from=build //' Dockerfile >$(DIST)/Dockerfile

$(addprefix bin/,$(COMMANDS)): bin/%:
	go build -trimpath -o bin/$* ./cmd/$*

# What sam build calls, for the function's name in template.yaml, with the place
# where it wants everything that is to be packed. It does not say for which
# processor: LAMBDA_ARCH does, which follows the Architecture in samconfig.toml.
.PHONY: build-AuthorizeFunction build-RecordFunction build-QueryFunction build-ArchiveFunction build-EventsFunction
build-AuthorizeFunction: ## authorize, for sam build
	$(call pack,authorize)
build-RecordFunction: ## record, for sam build
	$(call pack,record)
build-QueryFunction: ## query, for sam build
	$(call pack,query)
build-ArchiveFunction: ## archive, for sam build
	$(call pack,archive)
build-EventsFunction: ## events, for sam build
	$(call pack,events)

# $(call pack,function) builds it into ARTIFACTS_DIR, and the forum's rules with it,
# if there are any.
define pack
	@test -n '$(ARTIFACTS_DIR)' || { echo 'ARTIFACTS_DIR is missing: sam build sets it' >&2; exit 1; }
	$(LAMBDA) -o '$(ARTIFACTS_DIR)/bootstrap' ./functions/$(1)
	@if [ -f rules.json ]; then cp rules.json '$(ARTIFACTS_DIR)/'; fi
endef

.PHONY: clean
clean: ## remove what was built, and the tests' cache
	rm -rf bin dist .aws-sam cover.out
	go clean -testcache
