import { blocksIn } from "../../../../../testing/pages";

/** The blocks of a page that are whole files of TypeScript. */
export const filesIn = (document: string) =>
	blocksIn(document).flatMap(({ language, name, text }) =>
		language === "ts" && name ? [{ name, text }] : [],
	);
