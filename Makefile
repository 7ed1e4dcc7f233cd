# `make` lists the targets. Each says what it will install before it does (see build/bootstrap), and is silent when
# nothing is missing.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.PHONY: help run build test unit integration e2e conformance bench check fmt vet lint generated race \
	generate audit tools claude clean
.NOTPARALLEL:

include build/versions
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/hearth
export PATH := $(CACHE)/go/$(GO_VERSION)/bin:$(PATH):/usr/local/go/bin
export CGO_ENABLED := 0

HEARTH_VERSION := $(or $(shell git describe --tags --always --dirty 2>/dev/null),unknown)
BUILD := go build -trimpath -buildvcs=false -ldflags '-s -w -X hearth/backend/cli.version=$(HEARTH_VERSION)'

# More arguments for go test, for instance: make unit TESTFLAGS='-run TestRender -v'
TESTFLAGS ?=
TEST := go test -timeout 20m

# The race detector slows SQLite down a great deal and finds nothing in pure functions: these it passes by.
RACE_LESS := chat delivery plain prompt token transcript ledger handoff guard sim
RACED = $$(go list ./... | grep -vE '/backend/($(subst $(eval ) ,|,$(RACE_LESS)))(/|$$)')

help: ## List the targets
	@echo "make TARGET, where TARGET is one of:"
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# Using it.

run: .need.go.git build ## Build Hearth and start it (ARGS='--addr …' for more)
	exec bin/hearth serve $(ARGS)

build: .need.go ## Build bin/hearth: static, without a window, no Node or GTK needed
	$(BUILD) -o bin/hearth .

# Testing it, from seconds to minutes. Tests that need the real Claude Code carry the build tag e2e.

test: .need.go.git.npm.strace claude ## Run every test: unit, integration and end to end
	$(WITH_CLAUDE) $(TEST) -tags e2e $(TESTFLAGS) ./...

unit: .need.go.git.strace ## Run the quick tests only (go test -short): a minute
	$(TEST) -short $(TESTFLAGS) ./...

integration: .need.go.git.strace ## Run all tests but those with the real Claude Code
	$(TEST) $(TESTFLAGS) ./...

e2e: .need.go.git.npm.strace claude ## Run the tests of the packages that drive the real Claude Code (pinned)
	$(WITH_CLAUDE) $(TEST) -tags e2e -count=1 $(TESTFLAGS) $(E2E_PACKAGES)

conformance: .need.go.git.npm.strace ## Run the end-to-end tests on another Claude Code (VERSION=latest, or a number)
	client=$$(build/claude $(or $(VERSION),latest)); echo "Claude Code: $$client"; \
	HEARTH_TEST_CLAUDE=$$client $(TEST) -tags e2e -count=1 $(TESTFLAGS) $(E2E_PACKAGES)

bench: .need.go.git.npm claude ## Run the benchmarks, those with the real Claude Code too
	$(WITH_CLAUDE) $(TEST) -tags e2e -run '^$$' -bench . -benchmem $(TESTFLAGS) ./...

WITH_CLAUDE = HEARTH_TEST_CLAUDE=$$(build/claude)
E2E_PACKAGES = $$(grep -rlE '^//go:build .*\be2e\b' --include='*_test.go' backend | xargs -n 1 dirname | sort -u | sed 's|^|./|')

# Looking after it.

check: .need.go.git.npm.cc.strace fmt vet lint generated race test ## All that a change must pass: format, vet, linters, generated code, races, every test

fmt: .need.go
	@unformatted=$$(find . -name '*.go' -not -path '*/node_modules/*' -print0 | xargs -0 gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "not formatted (gofmt -w them):"; echo "$$unformatted"; exit 1; fi

vet: .need.go
	go vet -tags e2e ./...
	GOOS=darwin GOARCH=arm64 go vet -tags e2e ./...
	GOOS=darwin GOARCH=arm64 go build -o /dev/null .

lint: .need.go
	$$(build/tool golangci-lint) run --build-tags e2e ./...

generated: .need.go
	cd $(SQLC_DIR) && "$$($(CURDIR)/build/tool sqlc)" diff

race: .need.go.git.cc.strace
	CGO_ENABLED=1 $(TEST) -race -short $(TESTFLAGS) $(RACED)

generate: .need.go ## Write the generated code anew (sqlc, from the queries in backend/store)
	cd $(SQLC_DIR) && "$$($(CURDIR)/build/tool sqlc)" generate

SQLC_DIR := backend/store

audit: .need.go.npm ## Look for known holes in what we depend on (needs the network; no part of check)
	go run golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION) ./...
	if [ -f frontend/package-lock.json ]; then cd frontend && npm audit; fi

tools: .need.go ## Build the linters and generators into the cache
	@build/tool golangci-lint
	@build/tool sqlc

claude: .need.npm ## Fetch the pinned Claude Code for the tests into the cache
	@build/claude >/dev/null

clean: ## Remove what was built here (the cache outside the clone stays)
	rm -rf bin

# What a target needs on the machine: .need.go.npm runs build/bootstrap go npm.
.need.%:
	@build/bootstrap $(subst ., ,$*)
