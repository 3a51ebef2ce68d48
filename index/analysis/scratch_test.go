package analysis

import (
	"fmt"
	"testing"
	"time"

	"kith"
)

func TestScratch(t *testing.T) {
	a := time.Now()
	words()
	b := time.Now()
	places()
	fmt.Println(b.Sub(a), time.Since(b))
	for _, l := range []kith.Location{{City: "NYC"}, {City: "München", Country: "Germany"}, {City: "Paris", State: "Texas"}, {City: "Paris, TX"}, {City: "Atlanta, Georgia"}, {City: "Frankfurt", Country: "DE"}, {City: "Bay Area"}, {City: "San Francisco", State: "CA", Country: "USA"}, {City: "Springfield", Country: "US"}, {City: "Cologne"}, {City: "Atlantis"}, {City: "Geneva", Country: "Switzerland"}, {City: "Edinburgh", Country: "Scotland"}, {City: "Berlin"}, {City: "Washington", State: "DC", Country: "United States"}, {City: "Tbilisi, Georgia"}, {City: "Valencia"}, {State: "California"}, {City: "Jersey City", State: "NJ", Country: "US"}, {City: "Mitte", Country: "Germany"}} {
		fmt.Printf("%+v\n   %+v\n", l, Place(l))
	}
}

var _ = time.Now
