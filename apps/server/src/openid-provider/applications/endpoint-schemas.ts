import * as z from "zod";
import { applicationSchema, applicationTypes, settingsSchema } from "./application";
import { MAX_OVERLAP_HOURS } from "./secret-overlap";

const clientId = z.string().meta({ description: "The application" });
const disabled = z
	.boolean()
	.optional()
	.meta({ description: "Whether it is refused, with all its tokens" });

export const newApplication = settingsSchema
	.partial()
	.required({ name: true })
	.extend({ type: z.enum(applicationTypes) });

export const namedApplication = z.strictObject({ clientId });

export const secretRotation = namedApplication.extend({
	overlapHours: z
		.int()
		.min(0)
		.max(MAX_OVERLAP_HOURS)
		.default(0)
		.meta({ description: "How long the old secret works too" }),
});

export const applicationChanges = settingsSchema.partial().extend({ clientId, disabled });

export const applicationList = z.array(applicationSchema);

export const withSecret = applicationSchema.extend({
	clientSecret: z.string().nullable().meta({ description: "It is not shown again" }),
});

export const success = z.object({ success: z.literal(true) });
