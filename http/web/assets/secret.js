const $ = (id) => document.getElementById(id);

// reveal shows a secret once, to be copied.
export function reveal(label, secret) {
  $('made-label').textContent = label;
  $('secret').value = secret;
  $('made').hidden = false;
  $('secret').focus();
  $('secret').select();
}

// conceal forgets the secret that was shown.
export function conceal() {
  $('secret').value = '';
  $('made').hidden = true;
}
