// Package elastictest fetches, unpacks, starts and stops a real single-node Elasticsearch, for tests and for trying
// Kith. It uses the distribution of Elasticsearch's own integration tests: the real server without the modules that
// Kith does not need. The node uses the machine's Java, or a fetched one, and runs on loopback as an unprivileged user.
package elastictest
