// The search, the theme and the keys. The index is a script, because a page of a folder may not read other files.
"use strict";
const root = document.body.dataset.root;
const field = document.querySelector("input[type=search]");

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === "Escape" && event.target === field) field.blur();
});

document.getElementById("theme").addEventListener("click", () => {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme || (isDark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try { localStorage.theme = next; } catch (error) { /* a folder without storage */ }
});

for (const button of document.querySelectorAll("button.copy")) {
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copies);
    getSelection().selectAllChildren(text);
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    } catch (error) { button.textContent = "Selected"; }
  });
}

// A link to a case opens it.
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.tagName === "DETAILS") {
    target.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", open);
open();

const MOST = 60;

// Every word must occur; a word in the title counts more, at its start most.
function rank(entry, words) {
  const title = entry[0].toLowerCase(), text = entry[2].toLowerCase();
  let sum = 0;
  for (const word of words) {
    if (title.startsWith(word)) sum += 30;
    else if (title.includes(word)) sum += 10;
    else if (text.includes(word)) sum += 1;
    else return 0;
  }
  return sum + 1 / (1 + title.length);
}

function show() {
  const results = document.getElementById("results");
  if (!results || !window.searchIndex) return;
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = words.length ? window.searchIndex.map((entry) => [rank(entry, words), entry]) : [];
  const found = ranked.filter(([of]) => of > 0).sort((a, b) => b[0] - a[0]);
  document.getElementById("count").textContent = words.length ? `${found.length} results` : "Type words into the field above.";
  results.replaceChildren(...found.slice(0, MOST).map(([, entry]) => {
    const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("p");
    link.href = root + entry[1];
    link.textContent = entry[0];
    text.textContent = entry[2].slice(0, 160);
    item.append(link, text);
    return item;
  }));
}

if (document.getElementById("results")) {
  field.value = new URLSearchParams(location.search).get("q") || "";
  field.addEventListener("input", () => {
    show();
    history.replaceState(null, "", `?q=${encodeURIComponent(field.value)}`);
  });
  field.form.addEventListener("submit", (event) => event.preventDefault());
  const index = document.createElement("script");
  index.src = root + "search-index.js";
  index.onload = show;
  document.head.append(index);
  field.focus();
}
