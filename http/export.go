package http

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"strconv"

	"github.com/rs/zerolog"

	"kith"
)

// Exporter exports a user's data.
type Exporter interface {
	// Export writes the data of ctx's caller in the format of kith load.
	Export(ctx context.Context, v kith.Viewer, w io.Writer) error
}

const typeNDJSON = "application/x-ndjson"

// exportUser answers GET /v2/user/export. It first writes the export to a file. So the client gets
// all of it or an error, and a slow client holds no transaction.
func (s *Server) exportUser(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	if err := c.turn.reserve(r.Context(), c.turn.exports, 1); err != nil {
		return err
	}
	f, err := os.CreateTemp("", "kith-export-*")
	if err != nil {
		return err
	}
	defer discard(s.log, f)
	buffered := bufio.NewWriter(f)
	if err := c.dataset.Export.Export(r.Context(), c.viewer(), buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	c.turn.pause()
	w.Header().Set("Content-Type", typeNDJSON)
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	w.Header().Set("Content-Disposition", `attachment; filename="export.ndjson"`)
	_, _ = io.Copy(paced{w}, f) // the client is gone, nobody needs the error
	return nil
}

func discard(log zerolog.Logger, f *os.File) {
	_ = f.Close() // it is deleted
	if err := os.Remove(f.Name()); err != nil {
		log.Warn().Err(err).Msg("cannot delete the temporary file of an export")
	}
}

// paced gives the client the time of a whole answer for each piece.
type paced struct{ w http.ResponseWriter }

// Write implements [io.Writer].
func (p paced) Write(piece []byte) (int, error) {
	boundWrite(p.w)
	return p.w.Write(piece)
}
