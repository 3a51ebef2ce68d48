package loader

import (
	"context"
	"errors"
	"fmt"
	"io"

	"kith/internal/record"
)

// Sizes of pieces and batches, in lines and bytes. One worker parses a piece; several pieces are stored in one
// transaction.
const (
	defaultBatch = 2_000
	// unitedBatch is for people who are looked up and merged: each transaction needs some thirty statements, whatever
	// its size.
	unitedBatch = 8_000
	pieceLines  = 250
	pieceBytes  = 1 << 20
	batchBytes  = 16 << 20
)

// piecesAhead is the most pieces waiting to be parsed or stored. A piece with a sequence may be as large as 64
// others, and sequences are stored one by one.
func piecesAhead(kind record.Kind, workers int) int {
	if kind == record.Sequences || kind == record.Exports {
		return 1
	}
	return 4 * workers
}

// piece is some lines on their way through the workers. Its items are set when done is closed.
type piece struct {
	lines []rawLine
	bytes int
	items []item
	done  chan struct{}
}

// read cuts the file into pieces, for parsing by any free worker and storing in order.
func (r *run) read(ctx context.Context, toParse, inOrder chan<- *piece) error {
	lines := newLineReader(r.src, maxLine(r.opts.Kind))
	for {
		p, readErr := nextPiece(lines)
		if len(p.lines) > 0 {
			for _, to := range []chan<- *piece{inOrder, toParse} {
				select {
				case to <- p:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return r.src.failure(lines.number-1, readErr)
		}
	}
}

// failure explains why nothing can be read after a line.
func (s *source) failure(line int64, err error) error {
	_, misnamed := errors.AsType[packedError](err)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the file is cut short after line %d: %w", line, err)
	case misnamed:
		return err
	case s.isDamaged(err):
		return fmt.Errorf("the file is damaged after line %d, and perhaps shortly before; fetch it again: %w", line,
			err)
	}
	return fmt.Errorf("after line %d: %w", line, err)
}

func nextPiece(lines *lineReader) (*piece, error) {
	p := &piece{done: make(chan struct{})}
	for len(p.lines) < pieceLines && p.bytes < pieceBytes {
		line, err := lines.next()
		if err != nil {
			return p, err
		}
		p.lines = append(p.lines, line)
		p.bytes += len(line.text)
	}
	return p, nil
}

func parseAll(ctx context.Context, kind record.Kind, pieces <-chan *piece) error {
	for {
		select {
		case p, ok := <-pieces:
			if !ok {
				return nil
			}
			p.parse(kind)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (p *piece) parse(kind record.Kind) {
	defer close(p.done)
	p.items = make([]item, len(p.lines))
	for i, line := range p.lines {
		if line.tooLong {
			p.items[i] = item{
				line: line.number, text: line.text[:1000],
				reason: fmt.Sprintf("the line is longer than %d bytes", maxLine(kind)),
			}
			continue
		}
		p.items[i] = parseLine(kind, line.number, line.text)
	}
}

// nextParsed waits for the next piece in file order; nil after the last.
func nextParsed(ctx context.Context, pieces <-chan *piece) (*piece, error) {
	select {
	case p, ok := <-pieces:
		if !ok {
			return nil, ctx.Err()
		}
		select {
		case <-p.done:
			return p, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
