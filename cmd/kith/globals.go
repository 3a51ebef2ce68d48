package main

import (
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"kith/internal/access/keys"
)

// globals are the flags of every command.
type globals struct {
	results *output `kong:"-"`
	// masterKeySecret is KITH_MASTER_KEY. It has no flag, because a secret does not belong on a command line.
	masterKeySecret string
	// mustExist is false if the command creates a missing data directory: its field has the tag creates.
	mustExist bool

	Data        dirName `default:"./kith-data" env:"KITH_DATA"`
	DatabaseURL string  `env:"KITH_DATABASE_URL,DATABASE_URL" placeholder:"URL"`

	ElasticsearchURL      string `env:"KITH_ELASTICSEARCH_URL,ELASTICSEARCH_URL" placeholder:"URL"`
	ElasticsearchAPIKey   string `env:"KITH_ELASTICSEARCH_API_KEY,ELASTICSEARCH_API_KEY" placeholder:"KEY"`
	ElasticsearchUsername string `env:"KITH_ELASTICSEARCH_USERNAME,ELASTICSEARCH_USERNAME" placeholder:"NAME"`
	ElasticsearchPassword string `env:"KITH_ELASTICSEARCH_PASSWORD,ELASTICSEARCH_PASSWORD" placeholder:"PASSWORD"`
	ElasticsearchCA       string `env:"KITH_ELASTICSEARCH_CA,ELASTICSEARCH_CA" type:"existingfile" placeholder:"FILE"`
	ElasticsearchPrefix   string `env:"KITH_ELASTICSEARCH_PREFIX" default:"kith"`
	Shards                int    `env:"KITH_SHARDS" default:"1" placeholder:"N"`
	Replicas              string `env:"KITH_REPLICAS" default:"auto" placeholder:"N"`

	LLMURL     string        `name:"llm-url" env:"KITH_LLM_URL" placeholder:"URL"`
	LLMModel   string        `name:"llm-model" env:"KITH_LLM_MODEL" placeholder:"NAME"`
	LLMTimeout time.Duration `name:"llm-timeout" default:"4s" env:"KITH_LLM_TIMEOUT"`

	MasterKeyFile    string `env:"KITH_MASTER_KEY_FILE" type:"existingfile" placeholder:"FILE"`
	MasterKeyCommand string `env:"KITH_MASTER_KEY_COMMAND" placeholder:"COMMAND"`

	Demo      bool
	LogLevel  string `enum:"debug,info,warn,error" default:"info" env:"KITH_LOG_LEVEL"`
	LogFormat string `enum:"auto,text,json" default:"auto" env:"KITH_LOG_FORMAT"`
}

// masterKey returns the location of the master key.
func (g *globals) masterKey() keys.MasterSource {
	return keys.MasterSource{Secret: g.masterKeySecret, File: g.MasterKeyFile, Command: g.MasterKeyCommand}
}

// logger writes to w, which is never standard output: that is for results.
func (g *globals) logger(w *os.File) zerolog.Logger {
	var out io.Writer = w
	if g.LogFormat == "text" || g.LogFormat == "auto" && isatty.IsTerminal(w.Fd()) {
		out = zerolog.ConsoleWriter{Out: w, TimeFormat: "15:04:05", NoColor: !isatty.IsTerminal(w.Fd())}
	}
	level, _ := zerolog.ParseLevel(g.LogLevel) // one of the values that the flag allows
	return zerolog.New(out).Level(level).With().Timestamp().Logger()
}
