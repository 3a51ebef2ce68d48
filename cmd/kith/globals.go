package main

import (
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"kith/internal/keys"
)

// globals are the flags of every command.
type globals struct {
	results *output `kong:"-"`
	// masterKeySecret is KITH_MASTER_KEY. It has no flag, because a secret does not belong on a command line.
	masterKeySecret string
	// mustExist is false if the command creates a missing data directory: its field has the tag creates.
	mustExist bool

	Data        dirName `help:"Directory of the embedded Postgres." default:"./kith-data" env:"KITH_DATA"`
	DatabaseURL string  `help:"Postgres server to use instead of the embedded one." env:"KITH_DATABASE_URL,DATABASE_URL" placeholder:"URL"`

	ElasticsearchURL      string `help:"Elasticsearch to search with instead of Postgres; separate several addresses by commas." env:"KITH_ELASTICSEARCH_URL,ELASTICSEARCH_URL" placeholder:"URL"`
	ElasticsearchAPIKey   string `help:"API key for Elasticsearch." env:"KITH_ELASTICSEARCH_API_KEY,ELASTICSEARCH_API_KEY" placeholder:"KEY"`
	ElasticsearchUsername string `help:"User name for Elasticsearch." env:"KITH_ELASTICSEARCH_USERNAME,ELASTICSEARCH_USERNAME" placeholder:"NAME"`
	ElasticsearchPassword string `help:"Password for Elasticsearch; better given in the environment." env:"KITH_ELASTICSEARCH_PASSWORD,ELASTICSEARCH_PASSWORD" placeholder:"PASSWORD"`
	ElasticsearchCA       string `help:"File with the certificate authority of Elasticsearch." env:"KITH_ELASTICSEARCH_CA,ELASTICSEARCH_CA" type:"existingfile" placeholder:"FILE"`
	ElasticsearchPrefix   string `help:"Prefix of the names of Kith's Elasticsearch indices." env:"KITH_ELASTICSEARCH_PREFIX" default:"kith"`
	Shards                int    `help:"Shards of a new Elasticsearch index of people: about one for each 10 million." env:"KITH_SHARDS" default:"1" placeholder:"N"`
	Replicas              string `help:"Replicas of each Elasticsearch shard once an index is built; auto: one if there is a second node." env:"KITH_REPLICAS" default:"auto" placeholder:"N"`

	LLMURL     string        `name:"llm-url" help:"OpenAI-compatible endpoint of a language model for prompts the rules cannot read completely. Its key is KITH_LLM_KEY." env:"KITH_LLM_URL" placeholder:"URL"`
	LLMModel   string        `name:"llm-model" help:"Name of the model at --llm-url." env:"KITH_LLM_MODEL" placeholder:"NAME"`
	LLMTimeout time.Duration `name:"llm-timeout" help:"Time limit for the language model." default:"4s" env:"KITH_LLM_TIMEOUT"`

	MasterKeyFile    string `help:"File with the master key that seals the keys in the database (see kith keys move); or set KITH_MASTER_KEY to the key." env:"KITH_MASTER_KEY_FILE" type:"existingfile" placeholder:"FILE"`
	MasterKeyCommand string `help:"Command that prints the master key." env:"KITH_MASTER_KEY_COMMAND" placeholder:"COMMAND"`

	Demo      bool   `help:"Use the generated demo dataset (serve: in addition to the live one, also by KITH_DEMO)."`
	LogLevel  string `help:"debug, info, warn or error." enum:"debug,info,warn,error" default:"info" env:"KITH_LOG_LEVEL"`
	LogFormat string `help:"text, json, or auto: text on a terminal." enum:"auto,text,json" default:"auto" env:"KITH_LOG_FORMAT"`
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
	level, err := zerolog.ParseLevel(g.LogLevel)
	if err != nil {
		level = zerolog.InfoLevel
	}
	return zerolog.New(out).Level(level).With().Timestamp().Logger()
}
