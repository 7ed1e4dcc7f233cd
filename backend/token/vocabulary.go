package token

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"fmt"
	"strconv"
	"sync"

	"github.com/pkoukk/tiktoken-go"
)

// vocabulary is cl100k_base as OpenAI publishes it: a line a token, its bytes
// in base64 and its rank. The offline loader's module embeds the same file and
// three others with it, 7 MB in every binary; this is 0.8. A test holds the
// two equal.
//
//go:embed cl100k_base.tiktoken.gz
var vocabulary []byte

// pattern is how cl100k_base cuts text into pieces before it merges bytes
// (openai/tiktoken, tiktoken_ext/openai_public.py).
const pattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`

// encoder is the tokenizer, made at the first call. It is put together here
// and not by tiktoken.GetEncoding, whose loader is a global of the process and
// by default downloads.
var encoder = sync.OnceValue(func() *tiktoken.Tiktoken {
	ranks, err := readVocabulary(vocabulary)
	if err != nil {
		// The file is part of the binary: only a broken build gets here.
		panic(fmt.Sprintf("read embedded vocabulary: %v", err))
	}
	// EncodeOrdinary knows no special tokens; the library wants a list anyway.
	special := map[string]int{tiktoken.ENDOFTEXT: 100257}
	core, err := tiktoken.NewCoreBPE(ranks, special, pattern)
	if err != nil {
		panic(fmt.Sprintf("build cl100k_base tokenizer: %v", err))
	}
	return tiktoken.NewTiktoken(core, &tiktoken.Encoding{
		Name: tiktoken.MODEL_CL100K_BASE, PatStr: pattern, MergeableRanks: ranks, SpecialTokens: special,
	}, map[string]any{tiktoken.ENDOFTEXT: true})
})

// size is the number of ranks in cl100k_base.
const size = 100_256

func readVocabulary(compressed []byte) (map[string]int, error) {
	lines, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	ranks := make(map[string]int, size)
	scanner := bufio.NewScanner(lines)
	for scanner.Scan() {
		text, number, ok := bytes.Cut(scanner.Bytes(), []byte(" "))
		if !ok {
			return nil, fmt.Errorf("line %d: no rank", len(ranks)+1)
		}
		token, err := base64.StdEncoding.AppendDecode(nil, text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(ranks)+1, err)
		}
		rank, err := strconv.Atoi(string(number))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(ranks)+1, err)
		}
		ranks[string(token)] = rank
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	if len(ranks) != size {
		return nil, fmt.Errorf("%d entries, want %d", len(ranks), size)
	}
	return ranks, nil
}
