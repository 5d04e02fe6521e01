import { refuse } from "./answers";
import { type } from "./user";

/** What forms have in common that ask only for an email, and need no session. */
export const emailForm = {
	fill: () => type("Email", "ada@acme.example"),
	invalid: {
		"an empty email": { change: () => type("Email", ""), field: "Email" },
		"an email without a domain": { change: () => type("Email", "ada"), field: "Email" },
	},
	conflict: {
		"too many requests": {
			answer: refuse(429, "", "Too many requests"),
			shows: ["Too many attempts."],
		},
	},
	keeps: { Email: "ada@acme.example" },
	expired: null,
};
