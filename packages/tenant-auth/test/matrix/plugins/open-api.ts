import { openAPI } from "better-auth/plugins";
import { expect } from "vitest";
import { answers, type PluginMatrix } from "./matrix";

const theDocument = answers(() =>
	expect.objectContaining({
		paths: expect.objectContaining({ "/tenant/sign-in/email": expect.anything() }),
	}),
);
const thePage = answers(() => expect.stringContaining("<html"));

/** What it answers is about the host alone. */
export const openApiMatrix: PluginMatrix<object> = {
	plugin: "openAPI",
	options: () => ({ plugins: [openAPI()] }),
	rows: {
		generateOpenAPISchema: [
			{
				tries: "reads the document, with A beside it",
				call: ({ a }) => ({ path: "/open-api/generate-schema", query: { tenantId: a.tenantId } }),
				by: "anyone",
				gets: theDocument,
				own: theDocument,
			},
		],
		openAPIReference: [
			{
				tries: "reads the page, with A beside it",
				call: ({ a }) => ({ path: "/reference", query: { tenantId: a.tenantId } }),
				by: "anyone",
				gets: thePage,
				own: thePage,
			},
		],
	},
};
