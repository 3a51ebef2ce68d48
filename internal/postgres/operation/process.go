package operation

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/conn"
)

// Process is a running server of the dataset.
type Process struct {
	ID       string
	Host     string
	PID      int
	Version  string
	Settings map[string]string
	Started  time.Time
}

// Differences returns the settings that differ between two processes, with both values.
func (p Process) Differences(other Process) map[string][2]string {
	out := map[string][2]string{}
	for name, value := range p.Settings {
		if theirs := other.Settings[name]; theirs != value {
			out[name] = [2]string{value, theirs}
		}
	}
	for name, theirs := range other.Settings {
		if _, known := p.Settings[name]; !known {
			out[name] = [2]string{"", theirs}
		}
	}
	if p.Version != other.Version {
		out["version"] = [2]string{p.Version, other.Version}
	}
	return out
}

// processesSeen is how long a process counts as running after its last sign of life.
const processesSeen = "45 seconds"

// Announce records that a process is running. Call it every 15 seconds.
func (db *Store) Announce(ctx context.Context, p Process) error {
	settings, err := json.Marshal(p.Settings)
	if err != nil {
		return fmt.Errorf("processes: %w", err)
	}
	return conn.Exec(ctx, db.Querier(), "processes", `with gone as (delete from processes
		where seen_at < now() - interval '1 hour')
		insert into processes (id, host, pid, version, settings, started_at, seen_at)
		values ($1, $2, $3, $4, $5, $6, now())
		on conflict (id) do update set seen_at = now()`, p.ID, p.Host, p.PID, p.Version, settings, p.Started)
}

// Withdraw removes a process that stops.
func (db *Store) Withdraw(ctx context.Context, id string) error {
	return conn.Exec(ctx, db.Querier(), "processes", "delete from processes where id = $1", id)
}

// Processes lists the running processes, oldest first.
func (db *Store) Processes(ctx context.Context) ([]Process, error) {
	return conn.Collect(ctx, db.Querier(), "processes", pgx.RowToStructByPos[Process],
		`select id, host, pid, version, settings, started_at from processes
		where seen_at >= now() - $1::interval order by started_at, id`, processesSeen)
}
