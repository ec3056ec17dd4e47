// The panel's tabs.
import { h } from "./dom.js";

/** tabs: [{id, name, panel: element}]; returns `select(id)`. */
export function createTabs(container, tabs) {
  const buttons = tabs.map((tab) => h("button", {
    type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": `panel-${tab.id}`, onclick: () => select(tab.id),
    onkeydown: (event) => move(event, tab),
  }, tab.name));
  container.append(...buttons);
  for (const tab of tabs) {
    tab.panel.id = `panel-${tab.id}`;
    tab.panel.setAttribute("role", "tabpanel");
    tab.panel.setAttribute("aria-labelledby", `tab-${tab.id}`);
  }

  function select(id) {
    tabs.forEach((tab, i) => {
      tab.panel.hidden = tab.id !== id;
      buttons[i].setAttribute("aria-selected", String(tab.id === id));
      buttons[i].tabIndex = tab.id === id ? 0 : -1;
    });
  }
  function move(event, tab) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.stopPropagation();
    const next = (tabs.indexOf(tab) + step + tabs.length) % tabs.length;
    select(tabs[next].id);
    buttons[next].focus();
  }
  select(tabs[0].id);
  return select;
}
