package prose

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// oracle says the same of a text as Of by reading it with a Markdown parser that
// others wrote: correct, and in the worst case slow.
func oracle(body string) []string {
	p := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100), util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300), util.Prioritized(parser.NewRawHTMLParser(), 400),
		),
	)
	source := []byte(body)
	w := &words{source: source}
	// The walker never returns an error: the visitor has none to give.
	_ = ast.Walk(p.Parse(text.NewReader(source), parser.WithContext(nothingDefined{parser.NewContext()})), w.visit)
	w.flush()
	return w.out
}

// nothingDefined lets reference links be what they are typed as.
type nothingDefined struct{ parser.Context }

func (nothingDefined) Reference(string) (parser.Reference, bool) { return nil, false }

type words struct {
	source  []byte
	current strings.Builder
	out     []string
}

func (w *words) flush() {
	if w.current.Len() > 0 {
		w.out = append(w.out, w.current.String())
		w.current.Reset()
	}
}

func (w *words) lines(lines *text.Segments) {
	for i := range lines.Len() {
		line := lines.At(i)
		w.current.Write(line.Value(w.source))
	}
}

func (w *words) visit(node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		switch node.Kind() {
		case ast.KindLink, ast.KindImage:
			w.current.WriteString("] ")
		}
		if node.Type() == ast.TypeBlock {
			w.flush()
		}
		return ast.WalkContinue, nil
	}
	if node.Type() == ast.TypeBlock {
		w.flush()
	}
	switch n := node.(type) {
	case *ast.CodeSpan, *ast.AutoLink:
		w.current.WriteByte(' ')
		return ast.WalkSkipChildren, nil
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return ast.WalkSkipChildren, nil
	case *ast.Link:
		w.current.WriteByte('[')
	case *ast.Image:
		w.current.WriteString("![")
	case *ast.HTMLBlock:
		w.lines(n.Lines())
		if n.HasClosure() {
			w.current.Write(n.ClosureLine.Value(w.source))
		}
	case *ast.RawHTML:
		w.lines(n.Segments)
	case *ast.Text:
		w.current.Write(util.UnescapePunctuations(n.Segment.Value(w.source)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			w.current.WriteByte('\n')
		}
	}
	return ast.WalkContinue, nil
}
