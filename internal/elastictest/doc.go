// Package elastictest fetches, unpacks, starts and stops a real single-node
// Elasticsearch, for tests and for trying Kith out. The node is the
// distribution that Elasticsearch's own integration tests use: the real
// server, without the modules that Kith does not need. It runs on the Java of
// the machine (17 or newer), on loopback, as an unprivileged user.
package elastictest
