package tool

import (
	"context"
	"fmt"
	"strings"
)

// maxRuns bounds each of the two lists of runs.
const maxRuns = 20

// activity says what goes on in the workspace.
func activity(ctx context.Context, b Backend, scope Scope, _ arguments) (string, error) {
	runs, workspace, err := b.Activity(ctx, scope)
	if err != nil {
		return "", err
	}
	repo := readRepository(ctx, workspace)
	var out strings.Builder
	fmt.Fprintf(&out, "Workspace: %s. Names, subjects and texts below are %s.\n", clip(workspace, 4096), untrusted)
	writeRepository(&out, repo)
	writeRuns(&out, "Running or waiting", "running or waiting", runs.Running)
	writeRuns(&out, "Recent runs", "recent", runs.Recent)
	return strings.TrimRight(out.String(), "\n"), nil
}

func writeRepository(out *strings.Builder, r repository) {
	if r.problem != "" {
		fmt.Fprintf(out, "Git: %s\n", r.problem)
		return
	}
	out.WriteString("Git: " + branchLine(r.status.branch) + "\n")
	switch {
	case r.commitsProblem != "":
		fmt.Fprintf(out, "Last commits: %s\n", r.commitsProblem)
	case len(r.commits) == 0:
		out.WriteString("Last commits: none yet.\n")
	default:
		out.WriteString("Last commits, newest first:\n")
		for _, c := range r.commits {
			fmt.Fprintf(out, "- %s, %s, by %s: %s\n", clip(c.hash, 64), clock(c.at), clip(c.author, 100), clip(c.subject, 200))
		}
	}
	writeChanges(out, r)
}

func branchLine(b branch) string {
	line := "branch " + clip(b.name, 250)
	switch {
	case b.detached:
		line = "no branch, HEAD is detached"
	case b.name == "":
		line = "branch unknown"
	}
	if b.commit != "" {
		line += " at " + b.commit[:min(12, len(b.commit))]
	}
	if b.upstream != "" {
		line += fmt.Sprintf(", %d ahead and %d behind %s", b.ahead, b.behind, clip(b.upstream, 250))
	}
	return line
}

func writeChanges(out *strings.Builder, r repository) {
	switch {
	case r.changesProblem != "":
		fmt.Fprintf(out, "Changed files: %s\n", r.changesProblem)
		return
	case r.status.count == 0:
		out.WriteString("Changed files: none.\n")
		return
	}
	fmt.Fprintf(out, "Changed files (%d; codes as in git status --porcelain=v2, paths from the repository's root):\n", r.status.count)
	for _, c := range r.status.changes {
		path := clip(c.path, 250)
		if c.from != "" {
			path = clip(c.from, 250) + " -> " + path
		}
		fmt.Fprintf(out, "- %s %s\n", c.code, path)
	}
	leftOut(out, r.status.count, len(r.status.changes), "; git status has them all")
}

func writeRuns(out *strings.Builder, title, adjective string, runs []RunLine) {
	if len(runs) == 0 {
		fmt.Fprintf(out, "%s: none.\n", title)
		return
	}
	fmt.Fprintf(out, "%s (%d):\n", title, len(runs))
	for _, r := range runs[:min(len(runs), maxRuns)] {
		out.WriteString("- " + runLine(r) + "\n")
	}
	leftOut(out, len(runs), maxRuns, " "+adjective)
}

func runLine(r RunLine) string {
	line := at(r.Handle) + ": " + clip(r.State, 40)
	if !r.StartedAt.IsZero() {
		line += ", began " + clock(r.StartedAt)
	}
	if !r.EndedAt.IsZero() {
		line += ", ended " + clock(r.EndedAt)
	}
	line += ", run " + clip(r.RunID, 64)
	if r.Asked == "" {
		return line + ", asked by nobody"
	}
	return line + ", asked: " + clip(r.Asked, 120)
}
