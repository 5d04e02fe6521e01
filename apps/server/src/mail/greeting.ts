const oneLine = /^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u;

/** Mail programs make a link of a host without a scheme too, and some of other full stops. */
const likeAnAddress = /:\/\/|www\.|[.\u3002\uff0e\uff61][\p{L}\p{N}]/iu;

/**
 * Anybody can sign up with a stranger's address and choose the name, which then stands in a mail that
 * the stranger trusts. A message or a link in its place is left out.
 */
export function greeting(name: string): string {
	return oneLine.test(name) && !likeAnAddress.test(name) ? `Hello ${name},` : "Hello,";
}
