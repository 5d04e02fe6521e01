import { errorCodesOf } from "../../error-codes";

/** Every error of webhooks, with its HTTP status. The client loads this file. */
export const WEBHOOK_ERRORS = {
	WEBHOOK_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "Webhook not found",
	},
	WEBHOOK_DELIVERY_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "Delivery not found",
	},
	WEBHOOK_DISABLED: {
		status: "CONFLICT",
		message: "The webhook is disabled, enable it first",
	},
	TOO_MANY_WEBHOOKS: {
		status: "CONFLICT",
		message: "A tenant has at most 10 webhooks",
	},
} as const;

export const TENANT_WEBHOOKS_ERROR_CODES = errorCodesOf(WEBHOOK_ERRORS);
