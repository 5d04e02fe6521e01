import { type Issuers, issuerOf } from "../openid-provider/issuer";

/** A tenant has one SAML identity provider. */
export const PROVIDER_ID = "saml";

/** What an identity provider needs to know about a tenant. Each tenant has its own entity id. */
export type ServiceProvider = {
	entityId: string;
	acsUrl: string;
	metadataUrl: string;
	/** Where a sign-in starts. */
	signInUrl: string;
	/** The page that says why somebody could not sign in. */
	errorUrl: string;
};

export function serviceProviderOf(issuers: Issuers, slug: string): ServiceProvider {
	const issuer = issuerOf(issuers, slug);
	const base = `${issuer}/saml`;
	return {
		entityId: `${base}/metadata`,
		acsUrl: `${base}/acs`,
		metadataUrl: `${base}/metadata`,
		signInUrl: `${base}/sign-in`,
		errorUrl: `${issuer}/error`,
	};
}

/** Slugs and host names have no characters that XML escapes. */
export const metadataOf = ({ entityId, acsUrl }: ServiceProvider): string =>
	`<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>
    <AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${acsUrl}"/>
  </SPSSODescriptor>
</EntityDescriptor>
`;
