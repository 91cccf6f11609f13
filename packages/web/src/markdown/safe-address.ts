/** Which addresses of an answer a person may follow: other sites over http(s), and mail. */

/** The address, or `''`: then only its text is shown. Scripts, data and addresses of our own server lead nowhere. */
export function safeAddress(address: string): string {
  if (address.startsWith('#')) return address;
  try {
    const { protocol } = new URL(address);
    return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? address : '';
  } catch {
    return '';
  }
}

/** What a reader should know before following: the host, as the browser understands it. */
export function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return '';
  }
}
