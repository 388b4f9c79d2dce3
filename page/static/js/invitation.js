// Sitting down: somebody who has no name here yet gives one first.

import { asking, button, dialog, el, field } from "./dom.js";
import { t } from "./i18n.js";
import { account } from "./session.js";

/** The dialog of an invitation to a game; `sit(name)` is called when it is taken. */
export function inviteTo(title, sit) {
  const name = el("input", {
    name: "name",
    value: account?.name ?? "",
    placeholder: t("account.guest"),
    maxlength: 40,
    autocomplete: "nickname",
    readonly: account !== null,
    autofocus: true,
  });
  const take = () => {
    box.close();
    sit(name.node.value.trim());
  };
  const box = dialog(
    t("invitation.title", { title }),
    t("close"),
    asking(
      [field(t("opening.name"), name), el("p", { class: "hint" }, t("invitation.hint"))],
      button(t("invitation.look"), () => box.close()),
      button(t("waiting.sit"), take, { type: "submit", class: "primary", data: { invited: "" } }),
    ),
  );
}
