// Numbers open their note on hover and on tap where the browser does not do so by itself.
// Buttons work without this script; later mentions of a quantity are spans, and need it.

const interest = "interestForElement" in HTMLButtonElement.prototype;
let timer = 0;

const noteOf = (number) => document.getElementById(`pop-${number.dataset.q}`);
const bySelf = (number) => interest && number.matches("button");

function soon(action) {
  clearTimeout(timer);
  timer = setTimeout(action, 150);
}

function open(number) {
  const note = noteOf(number);
  if (note && !note.matches(":popover-open")) note.showPopover({ source: number });
}

function close() {
  document.querySelector(".d-popover:popover-open")?.hidePopover();
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  const number = event.target.closest(".d-number");
  if (number && !bySelf(number)) soon(() => open(number));
  else if (event.target.closest(".d-popover")) clearTimeout(timer);
});

document.addEventListener("pointerout", (event) => {
  if (event.pointerType === "touch") return;
  const left = event.target.closest(".d-number, .d-popover");
  if (left && !bySelf(left)) soon(close);
});

document.addEventListener("focusin", (event) => {
  const number = event.target.closest("button.d-number");
  if (number && !interest && number.matches(":focus-visible")) open(number);
});

document.addEventListener("click", (event) => {
  const number = event.target.closest("span.d-number");
  if (number) open(number);
});
