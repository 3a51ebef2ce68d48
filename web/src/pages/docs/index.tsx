import { useEffect, useRef, useState } from "preact/hooks";
import type { UI } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import notices from "swagger-ui-dist/swagger-ui-es-bundle.js.LICENSE.txt?url";
import { api, ask, base } from "../../api/client";
import { Field } from "../../parts/field";
import { Failed, Skeleton } from "../../parts/states";
import { useLoad } from "../../state/load";
import { type Given, set } from "../../state/route";
import { t } from "../../text";
import { type Description, described, found } from "./description";
import "./docs.css";
import { show } from "./reference";

/** The reference of the API, from its description: every operation can be found and tried. */
export default function Docs({ given }: { given: Given }) {
  const at = useRef<HTMLDivElement>(null);
  const [ui, setUI] = useState<UI | null>(null);
  const loaded = useLoad(async (signal) => {
    const doc = described(await ask(api.GET("/openapi.json", { signal })) as unknown as Description, base);
    if (at.current) setUI(await show(at.current, doc));
    return doc;
  }, []);
  const find = given["find"]?.trim() ?? "";
  const none = loaded.data && found(loaded.data, find).size === 0;
  useEffect(() => { ui?.layoutActions.updateFilter(find); }, [ui, find]);
  return (
    <div class="page docs">
      <h1>{t.docs.title}</h1>
      <p class="soft">{t.docs.text} <a href="openapi.json">openapi.json</a></p>
      <Field label={t.docs.find}>
        {(attributes) => <input {...attributes} type="search" value={given["find"] ?? ""}
          onInput={(e) => { set({ find: e.currentTarget.value }, true); }} />}
      </Field>
      <form class="two" onSubmit={(e) => { e.preventDefault(); }}>
        <Credential ui={ui} scheme="bearer" label={t.docs.token} hint={t.docs.tokenHint} />
        <Credential ui={ui} scheme="secretKey" label={t.docs.secretKey} hint={t.docs.secretKeyHint} />
      </form>
      {loaded.error ? <Failed error={loaded.error} retry={loaded.reload} /> : !ui && <Skeleton />}
      <h2 class="hidden">{t.docs.operations}</h2>
      {none && <p role="status">{t.docs.nothing}</p>}
      <div ref={at} lang="en" hidden={none} />
      <p><a href={notices} target="_blank">Swagger UI, Copyright 2020-2021 SmartBear Software Inc., Apache 2.0</a></p>
    </div>
  );
}

interface CredentialProps {
  ui: UI | null;
  scheme: string;
  label: string;
  hint: string;
}

/** Credential is a field for a token or key. Requests send it, and the page forgets it. */
function Credential({ ui, scheme, label, hint }: CredentialProps) {
  const [value, setValue] = useState("");
  useEffect(() => {
    if (!ui || !value) return undefined;
    ui.preauthorizeApiKey(scheme, value);
    return () => { ui.authActions.logout([scheme]); };
  }, [ui, scheme, value]);
  return (
    <Field label={label} hint={hint}>
      {(attributes) => <input {...attributes} type="password" autocomplete="off" value={value}
        onInput={(e) => { setValue(e.currentTarget.value.trim()); }} />}
    </Field>
  );
}
