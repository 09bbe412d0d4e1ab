// Sign-in that ended while somebody was typing: open the dialog, and let a second tab hand over its new token.

const channel = new BroadcastChannel("fieldhouse-session");

const openDialogs = () => {
  for (const dialog of document.querySelectorAll("dialog[data-open]:not([open])")) dialog.showModal();
};

const useToken = (token) => {
  document.body.setAttribute("hx-headers", JSON.stringify({ "x-csrftoken": token }));
  for (const input of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) input.value = token;
};

channel.addEventListener("message", (event) => useToken(event.data.token));
document.addEventListener("htmx:afterSwap", openDialogs);

const signedInAgain = document.querySelector("[data-signed-in-again]");
if (signedInAgain) {
  channel.postMessage({ token: signedInAgain.dataset.signedInAgain });
  window.close();
}
