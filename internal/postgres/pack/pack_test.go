package pack_test

import (
	"bytes"
	"os"
	"testing"

	"kith/internal/postgres/pack"
	"kith/internal/test/expect"
)

func FuzzPack(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte(`{"first_name":"Jane","last_name":"Doe","location":{"city":"Berlin","country":"Germany"}}`))
	f.Add(bytes.Repeat([]byte("Jane Doe "), 10_000))
	f.Fuzz(func(t *testing.T, record []byte) {
		packed, err := pack.Pack(record)
		expect.NoError(t, err)
		got, err := pack.Unpack(packed)
		if err != nil || !bytes.Equal(got, record) {
			t.Fatalf("%q became %q, %v", record, got, err)
		}
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0xFF, 0xFF, 0xFF, 0xFF, 0x28, 0xB5, 0x2F, 0xFD})
	f.Fuzz(func(_ *testing.T, packed []byte) {
		_, _ = pack.Unpack(packed) // must return
	})
}

// A typical record becomes a good deal smaller.
func TestPackedIsSmall(t *testing.T) {
	record, err := os.ReadFile("testdata/record.json")
	expect.NoError(t, err)
	packed, err := pack.Pack(record)
	if err != nil || 4*len(packed) > 3*len(record) {
		t.Errorf("%d bytes became %d, %v", len(record), len(packed), err)
	}
}
