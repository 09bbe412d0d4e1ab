// Sign-in that ended while somebody was typing: a second tab hands over its new token.

const channel = new BroadcastChannel("fieldhouse-session");

const useToken = (token) => {
  document.body.setAttribute("hx-headers", JSON.stringify({ "x-csrftoken": token }));
  for (const input of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) input.value = token;
};

channel.addEventListener("message", (event) => useToken(event.data.token));

const signedInAgain = document.querySelector("[data-signed-in-again]");
if (signedInAgain) {
  channel.postMessage({ token: signedInAgain.dataset.signedInAgain });
  window.close();
}
