# `make` lists the targets. Each says what it will install before it does (see build/bootstrap), and is silent when
# nothing is missing.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.PHONY: help run build page helper headless test unit integration e2e browser window conformance bench screenshot check fmt vet \
	lint generated race pagecheck size generate audit tools claude clean
.NOTPARALLEL:

include build/versions
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/hearth
export PATH := $(CACHE)/go/$(GO_VERSION)/bin:$(CACHE)/node/$(NODE_VERSION)/bin:$(PATH):/usr/local/go/bin
export CGO_ENABLED := 0

HEARTH_VERSION := $(or $(shell git describe --tags --always --dirty 2>/dev/null),unknown)
BUILD := go build -trimpath -buildvcs=false -ldflags '-s -w -X hearth/backend/cli.version=$(HEARTH_VERSION)'

# What a build with a window is built with. On macOS it is another web view, and nobody has tried it there yet.
WINDOW_TAGS := desktop,production$(if $(filter Linux,$(shell uname -s)),$(shell echo ,)webkit2_41)

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

run: .need.go.git.node.window build ## Build Hearth and start it: the window, or an address where there is no display
	exec bin/hearth $(ARGS)

build: .need.go.node.window page helper ## Build bin/hearth, with the window and the page in it
	CGO_ENABLED=1 $(BUILD) -tags $(WINDOW_TAGS) -o bin/hearth .

page: .need.node ## Build the page into frontend/dist (npm ci when package-lock.json has changed)
	@build/page

headless: .need.go helper ## Build bin/hearth-headless: static, no window, needs no C; with the page, if it is built
	$(BUILD) -o bin/hearth-headless .

# The program that stands before every command of an agent (see backend/shell). Both builds embed it; whatever is built
# without it, by go alone, calls itself instead: that takes longer to start when there is a window in it.
helper: .need.go ## Build backend/shell/bin/helper-GOOS-GOARCH, which is embedded: static, the same bytes everywhere
	go build -trimpath -buildvcs=false -ldflags '-s -w -buildid=' -o $(HELPER_BIN) ./backend/shell/helper

HELPER_BIN = backend/shell/bin/helper-$$(go env GOOS)-$$(go env GOARCH)

# Testing it, from seconds to minutes. Tests that need the real Claude Code carry the build tag e2e.

test: .need.go.git.npm.node.window.screen.chromium.strace claude build ## Run every test: Go, the page, the browser, the window, the real client
	$(WITH_CLAUDE) $(TEST) -tags e2e $(TESTFLAGS) ./...
	@$(MAKE) pagecheck size browser window

unit: .need.go.git.dbus.strace ## Run the quick tests only (go test -short): a minute
	$(TEST) -short $(TESTFLAGS) ./...

integration: .need.go.git.dbus.strace ## Run all tests but those with the real Claude Code
	$(TEST) $(TESTFLAGS) ./...

e2e: .need.go.git.npm.strace claude ## Run the tests of the packages that drive the real Claude Code (pinned)
	$(WITH_CLAUDE) $(TEST) -tags e2e -count=1 $(TESTFLAGS) $(E2E_PACKAGES)

browser: .need.go.node.window.chromium build ## Run the page in a real browser on a real Hearth (ARGS='-g words' for some)
	cd frontend && npm run e2e -- $(ARGS)

window: .need.go.node.window.screen build ## Run the window's tests, on a screen that nobody sees
	$(WINDOW_TEST) -timeout 20m $(TESTFLAGS) ./app

WINDOW_TEST = CGO_ENABLED=1 HEARTH_TEST_BINARY=$(CURDIR)/bin/hearth go test -tags $(WINDOW_TAGS),e2e_window

conformance: .need.go.git.npm.strace ## Run the end-to-end tests on another Claude Code (VERSION=latest, or a number)
	client=$$(build/claude $(or $(VERSION),latest)); echo "Claude Code: $$client"; \
	HEARTH_TEST_CLAUDE=$$client $(TEST) -tags e2e -count=1 $(TESTFLAGS) $(E2E_PACKAGES)

bench: .need.go.git.npm.node.window.screen claude build ## Run the benchmarks, those with the real Claude Code and the window too
	$(WITH_CLAUDE) $(TEST) -tags e2e -run '^$$' -bench . -benchmem $(TESTFLAGS) ./...
	$(WINDOW_TEST) -run '^$$' -bench . -benchtime 10x $(TESTFLAGS) ./app

screenshot: .need.go.node.window.screen build ## Take assets/screenshot.png of the real app
	pictures=$$(mktemp -d); trap 'rm -rf "$$pictures"' EXIT; \
	HEARTH_SCREENSHOTS=$$pictures $(WINDOW_TEST) -count=1 -run '^TestRealHearth$$' ./app; \
	mkdir -p assets; cp "$$pictures/TestRealHearth-window.png" assets/screenshot.png

WITH_CLAUDE = HEARTH_TEST_CLAUDE=$$(build/claude)
E2E_PACKAGES = $$(grep -rlE '^//go:build .*\be2e\b' --include='*_test.go' backend | xargs -n 1 dirname | sort -u | sed 's|^|./|')

# Looking after it.

check: .need.go.git.npm.node.window.screen.chromium.cc.strace fmt vet lint generated race test ## All that a change must pass: format, vet, linters, types, sizes, generated code, races, every test

fmt: .need.go
	@unformatted=$$(find . -name '*.go' -not -path '*/node_modules/*' -print0 | xargs -0 gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "not formatted (gofmt -w them):"; echo "$$unformatted"; exit 1; fi

vet: .need.go.window
	go vet -tags e2e ./...
	CGO_ENABLED=1 go vet -tags $(WINDOW_TAGS),e2e_window . ./app
	GOOS=darwin GOARCH=arm64 go vet -tags e2e ./...
	GOOS=darwin GOARCH=arm64 go build -o /dev/null .

lint: .need.go.window
	$$(build/tool golangci-lint) run --build-tags e2e ./...
	CGO_ENABLED=1 $$(build/tool golangci-lint) run --build-tags $(WINDOW_TAGS),e2e_window . ./app

generated: .need.go
	cd $(SQLC_DIR) && "$$($(CURDIR)/build/tool sqlc)" diff

pagecheck: .need.node ## Check the page: generated types, types, linter, unit tests
	@build/page install
	cd frontend && npm run check

size: .need.node page
	cd frontend && npm run size

race: .need.go.git.cc.dbus.strace
	CGO_ENABLED=1 $(TEST) -race -short $(TESTFLAGS) $(RACED)

generate: .need.go ## Write the generated code anew (sqlc, from the queries in backend/store)
	cd $(SQLC_DIR) && "$$($(CURDIR)/build/tool sqlc)" generate

SQLC_DIR := backend/store

audit: .need.go.node ## Look for known holes in what we depend on (needs the network; no part of check)
	go run golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION) ./...
	cd frontend && npm audit

tools: .need.go ## Build the linters and generators into the cache
	@build/tool golangci-lint
	@build/tool sqlc

claude: .need.npm ## Fetch the pinned Claude Code for the tests into the cache
	@build/claude >/dev/null

clean: ## Remove what was built here (the cache outside the clone stays)
	rm -rf bin
	find frontend/dist backend/shell/bin -mindepth 1 -not -name embed.txt -delete

# What a target needs on the machine: .need.go.npm runs build/bootstrap go npm.
.need.%:
	@build/bootstrap $(subst ., ,$*)
