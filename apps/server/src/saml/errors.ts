import { APIError } from "better-auth/api";

export const noDomain = () =>
	new APIError("CONFLICT", {
		code: "SAML_NEEDS_EMAIL_DOMAIN",
		message: "Verify an email domain of the tenant first. Only people with its emails can sign in",
	});

export const notSetUp = () =>
	new APIError("NOT_FOUND", {
		code: "SAML_NOT_SET_UP",
		message: "The tenant has no SAML identity provider",
	});

export const unreadable = (cause: unknown) =>
	Object.assign(
		new APIError("CONFLICT", {
			code: "SAML_UNREADABLE",
			message:
				"What is saved of the identity provider cannot be read. Save its metadata, attributes and roles again",
		}),
		{ cause },
	);

export const tooLarge = () =>
	new APIError("BAD_REQUEST", {
		code: "INVALID_SAML_METADATA",
		message: "The metadata cannot be used. Its certificates are too long, together with the roles",
	});

export const noMetadataUrl = () =>
	new APIError("CONFLICT", {
		code: "SAML_HAS_NO_METADATA_URL",
		message: "The metadata of the identity provider was pasted. There is no URL to load it from",
	});

export const otherEntity = () =>
	new APIError("CONFLICT", {
		code: "SAML_ENTITY_ID_CHANGED",
		message:
			"The URL now has the metadata of another identity provider. If this is right, save the URL again",
	});

export const allExpired = () =>
	new APIError("UNPROCESSABLE_ENTITY", {
		code: "SAML_CERTIFICATES_EXPIRED",
		message: "All certificates of the new metadata have expired",
	});

export const changedMeanwhile = () =>
	new APIError("CONFLICT", {
		code: "SAML_CHANGED_MEANWHILE",
		message: "Somebody else has changed the identity provider. Try again",
	});
