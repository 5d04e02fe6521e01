/** How to set up one provider, in the words that the provider's own pages use. */
export type Guide = {
	/** The place where the steps begin, as its owner calls it. */
	place: string;
	/** Missing if every customer has one of their own. */
	url?: string;
	/**
	 * One action each. `**…**` is a text on the provider's page, `…` in backticks is a value. Below the step that
	 * contains {@link CALLBACK}, the callback URLs are shown to copy.
	 */
	steps: string[];
	/** What goes wrong most often: what the provider says, and what helps. */
	errors: { says: string; help: string }[];
};

/** Stands for the callback URL. */
export const CALLBACK = "the callback URL";

/** For a provider without a guide of its own. */
export const generalGuide = (name: string): Guide => ({
	place: `the developer pages of ${name}`,
	steps: [
		"Create an OAuth app. If there are several types, choose a web app, or a confidential client.",
		`Enter ${CALLBACK} as the redirect URI.`,
		"Let the app read the profile and the email of users, if the provider asks.",
		"Copy its client ID and its client secret into the fields below.",
		"If the provider reviews new apps or has a test mode, publish the app.",
	],
	errors: [
		{
			says: "the redirect URI is not valid",
			help: "It must be exactly the callback URL, without a slash at the end.",
		},
		{ says: "`invalid_client`", help: "Copy the client ID and the client secret again." },
	],
});
