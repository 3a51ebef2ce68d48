// Command proof shows that a test run used real servers: which Elasticsearch and which Postgres, and how much work they
// have done. It fails if one of them is missing or has done nothing.
//
//	go run ./scripts/proof --elasticsearch URL --postgres FILE
//
// The test databases write the file: see package pgtest.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	url := flag.String("elasticsearch", "", "address of the node that the tests used")
	file := flag.String("postgres", "", "file written by the test databases")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := errors.Join(elasticsearch(ctx, strings.TrimRight(*url, "/")), postgres(*file)); err != nil {
		fmt.Fprintln(os.Stderr, "proof:", err)
		os.Exit(1)
	}
}

// node is a node of the cluster, and its work since it started, including work on deleted indices.
type node struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Indices struct {
		Indexing struct {
			Total int `json:"index_total"`
		} `json:"indexing"`
		Search struct {
			Total int `json:"query_total"`
		} `json:"search"`
	} `json:"indices"`
}

// elasticsearch prints the nodes of a cluster.
func elasticsearch(ctx context.Context, url string) error {
	var about, done struct {
		Nodes map[string]node `json:"nodes"`
	}
	if err := get(ctx, url+"/_nodes/_all/none", &about); err != nil {
		return fmt.Errorf("elasticsearch: %w", err)
	}
	if err := get(ctx, url+"/_nodes/stats/indices/indexing,search", &done); err != nil {
		return fmt.Errorf("elasticsearch: %w", err)
	}
	indexed, searched := 0, 0
	for id, n := range about.Nodes {
		did := done.Nodes[id].Indices
		fmt.Printf("elasticsearch %s, node %s: %d documents indexed, %d searches\n", n.Version, n.Name,
			did.Indexing.Total, did.Search.Total)
		indexed, searched = indexed+did.Indexing.Total, searched+did.Search.Total
	}
	if indexed == 0 || searched == 0 {
		return fmt.Errorf("elasticsearch: %d nodes have indexed %d documents and made %d searches: the tests did not "+
			"use "+"them", len(about.Nodes), indexed, searched)
	}
	return nil
}

func get(ctx context.Context, url string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(into)
}

// postgres adds up the lines of the test databases.
func postgres(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("postgres: no test database was created: %w", err)
	}
	var version, databases, transactions, rows int
	for line := range strings.Lines(string(text)) {
		var t, r int
		if _, err := fmt.Sscan(line, &version, &t, &r); err != nil {
			return fmt.Errorf("postgres: %q: %w", line, err)
		}
		databases, transactions, rows = databases+1, transactions+t, rows+r
	}
	fmt.Printf("postgres %d.%d: %d test databases, %d transactions, %d rows written\n", version/10000, version%10000,
		databases, transactions, rows)
	if transactions == 0 || rows == 0 {
		return errors.New("postgres: the tests did not use it")
	}
	return nil
}
