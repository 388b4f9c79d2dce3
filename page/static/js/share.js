// Gives the address of what is looked at to somebody: by the system's own way where there is one, else by copying it,
// else in a field to copy it from.

import { announce, dialog, el } from "./dom.js";
import { t } from "./i18n.js";

const SHOWN_MS = 4000;

/** Shares the address; people are told when it was copied. */
export async function share(address = location.hash) {
  const url = new URL(address, location.href).href;
  if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => null);
  if (!navigator.clipboard) return shown(url);
  return navigator.clipboard.writeText(url).then(
    () => announce(t("shared"), SHOWN_MS),
    () => shown(url),
  );
}

/** Without a secure context a browser copies nothing by itself. */
function shown(url) {
  const field = el("input", { class: "shared-link", readonly: true, value: url, "aria-label": t("share") });
  dialog(t("share"), field);
  field.node.select();
}
