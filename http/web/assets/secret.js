const $ = (id) => document.getElementById(id);

// reveal shows a secret and selects it for copying.
export function reveal(label, secret) {
  $('made-label').textContent = label;
  $('secret').value = secret;
  $('made').hidden = false;
  $('secret').focus();
  $('secret').select();
}

// conceal hides the secret.
export function conceal() {
  $('secret').value = '';
  $('made').hidden = true;
}
