import type { ForeignPlugin } from "./foreign-plugin";

/** The plugin finds a customer without an owner by its email, which users of several tenants may have. */
const CUSTOMERS = { user: ["stripeCustomerId"], organization: ["stripeCustomerId"] };

export const stripe: ForeignPlugin = {
	id: "stripe",
	paths: {
		// Stripe signs the event. The plugin verifies the signature before its first query.
		"/stripe/webhook": {
			tenantFrom: "row",
			rows: { subscription: ["id", "stripeSubscriptionId", "stripeCustomerId"], ...CUSTOMERS },
		},
	},
	impersonationPaths: ["/subscription/list"],
	exclusiveFields: CUSTOMERS,
};
