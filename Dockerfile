# Kith as an image: one static binary, run by an unprivileged user.
#
#   docker build -t kith .
#   docker run --rm kith --help

FROM golang:1.26 AS build
WORKDIR /src
# Modules change less often than the code, so this layer stays cached.
COPY go.mod go.sum ./
ENV GOCACHE=/go/cache
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/go/cache \
    CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags="-s -w" -o /out/kith ./cmd/kith

FROM alpine:3.22
RUN adduser -D -H -u 10001 kith && install -d -o kith -g kith /var/lib/kith /var/lib/kith/imports
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/kith /usr/local/bin/kith
USER 10001
WORKDIR /var/lib/kith
# Loopback of a container is not reachable from outside.
ENV KITH_LISTEN=0.0.0.0:8080
EXPOSE 8080
# Liveness, not readiness: a lost database must not restart the container.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD wget -q -O /dev/null http://127.0.0.1:8080/healthz || exit 1
ENTRYPOINT ["kith"]
CMD ["serve"]
