// Checks histories of the Web API for linearizability.
//
// Reads one history per line, as JSON (see ../history.ts), and writes one verdict per line, as JSON: {"seed", "verdict"},
// where the verdict is "linearizable", "not linearizable" or "unknown" (not decided within the time limit).
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

type history struct {
	Seed       int         `json:"seed"`
	Operations []operation `json:"operations"`
}

// An operation of a client. Times are in nanoseconds.
type operation struct {
	Client int     `json:"client"`
	Call   int64   `json:"call"`
	Return *int64  `json:"return"` // nil: no answer, so it can take effect at any time after the call
	Input  input   `json:"input"`
	Output *output `json:"output"` // nil: any
}

type verdict struct {
	Seed    int    `json:"seed"`
	Verdict string `json:"verdict"`
}

const (
	timeLimit   = time.Minute
	longestLine = 16 << 20
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longestLine)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var read history
		if err := json.Unmarshal(lines.Bytes(), &read); err != nil {
			fail(err)
		}
		if err := answers.Encode(verdict{read.Seed, check(read.Operations)}); err != nil {
			fail(err)
		}
	}
	if err := lines.Err(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func check(operations []operation) string {
	checked := make([]porcupine.Operation, len(operations))
	for i, o := range operations {
		end := int64(math.MaxInt64)
		if o.Return != nil {
			end = *o.Return
		}
		checked[i] = porcupine.Operation{ClientId: o.Client, Input: o.Input, Call: o.Call, Output: o.Output, Return: end}
	}
	switch porcupine.CheckOperationsTimeout(users, checked, timeLimit) {
	case porcupine.Ok:
		return "linearizable"
	case porcupine.Illegal:
		return "not linearizable"
	default:
		return "unknown"
	}
}
