# A server of one's own, of nothing but the program: docs/serve.md.
#
#   docker build -t laurel .
#   docker run -p 127.0.0.1:8080:8080 -v laurel:/data laurel
#
# A builder without BuildKit, which Debian's Docker has, makes every stage. So scripts/release, which has built the
# program, leaves the first one out.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN mkdir /data && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /laurel ./cmd/laurel

FROM scratch
USER 65532:65532
ENV LAUREL_ADDR=:8080 LAUREL_DATA=/data TMPDIR=/data
EXPOSE 8080
COPY --from=build /laurel /laurel
COPY --from=build --chown=65532:65532 /data /data
VOLUME /data
ENTRYPOINT ["/laurel"]
CMD ["serve"]
