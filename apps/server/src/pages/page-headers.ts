/**
 * What a page may do: load from its own origin, talk to it, and show pictures, of which a tenant's
 * logo may be elsewhere. Nothing inline, no frame around it, no third party.
 */
const contentSecurityPolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data: https:",
	"connect-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
].join("; ");

const always = {
	"x-content-type-options": "nosniff",
	"cross-origin-resource-policy": "same-origin",
};

export const pageHeaders = {
	...always,
	"content-type": "text/html; charset=utf-8",
	"content-security-policy": contentSecurityPolicy,
	"cross-origin-opener-policy": "same-origin",
	"permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
	// A link in a mail has a token in it, and so has the page that it leads to.
	"referrer-policy": "no-referrer",
	// For browsers that do not know `frame-ancestors`.
	"x-frame-options": "DENY",
	// The page names the assets of its build: an old one would ask for what is gone.
	"cache-control": "no-cache",
};

/** An asset's name changes with its content. */
export const assetHeaders = {
	...always,
	"cache-control": "public, max-age=31536000, immutable",
};
