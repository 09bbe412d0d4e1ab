// Buttons with data-copy: they copy what stands in the field of that id, and say so.
// Without this module the text can be selected, and the button is not shown.

const TOLD = 2000;

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // It stays selected: the keyboard copies it.
    return;
  }
  const words = button.querySelector("span");
  const before = words.textContent;
  if (before === button.dataset.copied) return;
  words.textContent = button.dataset.copied;
  setTimeout(() => (words.textContent = before), TOLD);
});
