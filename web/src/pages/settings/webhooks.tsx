import { Send, Trash2, Webhook as Icon } from "lucide-preact";
import { useState } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { Refused } from "../../api/problem";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { Secret } from "../../parts/secret";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { useLoad } from "../../state/load";
import { attempt, complainOf, confirm, notify } from "../../state/notice";
import { t } from "../../text";
import { ago } from "../../text/format";

type Webhook = Schemas["WebhookList"]["data"][number];

/** Webhooks lists the addresses that get the user's events, and adds one. The demo has none. */
export function Webhooks() {
  const list = useLoad(async (signal) => (await ask(api.GET("/v2/user/webhooks", { signal }))).data, []);
  const [secret, setSecret] = useState<string | null>(null);
  if (list.error instanceof Refused && list.error.problem.code === "NOTHING_IS_SENT") {
    return <Empty icon={Icon} title={t.settings.noEvents} text={t.settings.noEventsText} />;
  }
  if (list.error) return <Failed error={list.error} retry={list.reload} />;
  if (!list.data) return <Skeleton rows={2} />;
  return (
    <>
      <p class="soft">{t.settings.webhooksText}</p>
      {secret && (
        <Secret label={t.settings.webhookSecret} hint={t.settings.once} value={secret}
          onClose={() => { setSecret(null); }} />
      )}
      <ul class="entries" role="list" aria-label={t.settings.views.webhooks}>
        {list.data.map((one) => <Row key={one.id} one={one} onGone={list.reload} />)}
      </ul>
      <NewWebhook onMade={(made) => { setSecret(made); list.reload(); }} />
    </>
  );
}

function Row({ one, onGone }: { one: Webhook; onGone: () => void }) {
  const [busy, setBusy] = useState(false);
  const path = { id: one.id };
  const test = async () => {
    setBusy(true);
    await attempt(async () => {
      const { data } = await ask(api.POST("/v2/user/webhooks/{id}/test", { params: { path } }));
      if (data.accepted) notify(t.settings.accepted);
      else complainOf(t.settings.notAccepted(data.failure));
    });
    setBusy(false);
  };
  const remove = async () => {
    if (!await confirm(t.settings.removeWebhook(one.url), t.settings.webhookLoss(one.waiting), t.remove)) return;
    await attempt(async () => {
      await ask(api.DELETE("/v2/user/webhooks/{id}", { params: { path } }));
      onGone();
      notify(t.settings.webhookRemoved);
    });
  };
  return (
    <li class="card">
      <div>
        <h2><bdi>{one.url}</bdi></h2>
        {one.failing_since
          ? <p class="bad">{t.settings.failing(ago(one.failing_since), one.waiting)}: <bdi>{one.failure}</bdi></p>
          : <p class="soft">{t.settings.working}</p>}
      </div>
      <div class="actions">
        <Button icon={Send} busy={busy} aria-label={`${t.settings.test}: ${one.url}`} onClick={() => { void test(); }}>
          {t.settings.test}
        </Button>
        <Button icon={Trash2} aria-label={`${t.remove}: ${one.url}`} onClick={() => { void remove(); }}>
          {t.remove}
        </Button>
      </div>
    </li>
  );
}

function NewWebhook({ onMade }: { onMade: (secret: string) => void }) {
  const [url, setUrl] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const add = async () => {
    setBusy(true);
    setError(null);
    try {
      onMade((await ask(api.POST("/v2/user/webhooks", { body: { url: url.trim() } }))).data.secret);
      setUrl("");
    } catch (err) {
      setError(err);
    }
    setBusy(false);
  };
  return (
    <form class="card form" autocomplete="off" onSubmit={(e) => { e.preventDefault(); void add(); }}>
      {error !== null && <Failed error={error} />}
      <Field label={t.settings.webhookUrl}>
        {(attributes) => <input {...attributes} type="url" value={url} placeholder="https://app.example.com/hooks"
          maxLength={2000} required onInput={(e) => { setUrl(e.currentTarget.value); }} />}
      </Field>
      <div class="actions"><Button kind="main" type="submit" busy={busy}>{t.act.add}</Button></div>
    </form>
  );
}
