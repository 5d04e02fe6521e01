import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { EmptyState, Notice } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import type { SamlConnection } from "../api/saml";
import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import {
	useIsOwner,
	useMayInTenant,
	useTenant,
	useTenantHome,
} from "../current-tenant/tenant-context";
import { useTenantUrls } from "../current-tenant/tenant-urls";
import { DetailList, Url } from "../details";
import { Loaded } from "../lists/Loaded";
import { IdentityProviderCard } from "./IdentityProviderCard";
import { IdentityProviderForm } from "./IdentityProviderForm";

/** The SAML identity provider at which the tenant's users sign in. */
export function SamlTab() {
	const { serviceInfoQuery } = useApi();
	const { data: info } = useQuery(serviceInfoQuery);
	return (
		<div className="stack">
			{info?.saml === false ? (
				<>
					<TenantPageHeader title="SAML" />
					<EmptyState title="Not available in this service">
						The setting <code>SAML</code> switches it on.
					</EmptyState>
				</>
			) : (
				<Connection />
			)}
		</div>
	);
}

function Connection() {
	const tenant = useTenant();
	const { samlQuery } = useApi();
	const query = useQuery(samlQuery(tenant.id));
	useHeadingFocus(query.data && Boolean(query.data.identityProvider));
	return (
		<>
			<TenantPageHeader
				title="SAML"
				hint="People sign in at the identity provider of their company, such as Okta, Entra ID or ADFS."
				actions={query.data?.identityProvider && <SignInLink />}
			/>
			<Loaded query={query}>
				{(connection) => (
					<>
						{connection.emailDomains.length === 0 && <DomainNotice />}
						{connection.identityProvider && <PolicyNotice />}
						<OwnValues connection={connection} />
						<IdentityProvider connection={connection} />
					</>
				)}
			</Loaded>
		</>
	);
}

/** A form that was sent is gone, with the focus in it. The keyboard goes on at the heading. */
function useHeadingFocus(isConnected: boolean | undefined) {
	const before = useRef(isConnected);
	useEffect(() => {
		const isChanged = before.current !== undefined && before.current !== isConnected;
		before.current = isConnected;
		if (isChanged && document.activeElement === document.body) {
			document.querySelector<HTMLElement>("h1")?.focus();
		}
	}, [isConnected]);
}

function SignInLink() {
	const urls = useTenantUrls(useTenant().slug);
	if (!urls) return null;
	// The first page of the tenant would show the account to a user who is signed in.
	const href = `${urls.issuer}/sign-in`;
	return (
		<a className="button button-secondary" href={href} target="_blank" rel="noreferrer">
			Try it on the sign-in page
		</a>
	);
}

function DomainNotice() {
	const home = useTenantHome();
	const may = useMayInTenant();
	return (
		<Notice kind="warning">
			Nobody can sign in with SAML yet, because the tenant has no verified email domain.{" "}
			{may("domain:list") && <Link to={`${home}/domains`}>Verify the domain of the company</Link>}
		</Notice>
	);
}

/** Without the method, the sign-in page has no button for it. */
function PolicyNotice() {
	const tenant = useTenant();
	const home = useTenantHome();
	const may = useMayInTenant();
	const { loginOptionsQuery } = useApi();
	const { data } = useQuery(loginOptionsQuery(tenant.id));
	if (!data || data.methods.includes("sso")) return null;
	return (
		<Notice kind="warning">
			The policy of the tenant does not allow single sign-on, so nobody can use this.{" "}
			{may("policy:get") && <Link to={`${home}/policy`}>Change the policy</Link>}
		</Notice>
	);
}

/** What an administrator of the identity provider needs. */
function OwnValues({ connection }: { connection: SamlConnection }) {
	const { metadataUrl, entityId, acsUrl, emailDomains } = connection;
	return (
		<Card
			title="For the identity provider"
			hint="Create an app with SAML 2.0 there, and enter these values, or only the metadata URL."
		>
			<DetailList
				details={[
					{ title: "Metadata URL", value: <Url>{metadataUrl}</Url>, copy: metadataUrl },
					{ title: "Entity ID, audience", value: <Url>{entityId}</Url>, copy: entityId },
					{ title: "ACS URL, reply URL", value: <Url>{acsUrl}</Url>, copy: acsUrl },
					{ title: "Name ID", value: "The email of the person" },
					{ title: "Signature", value: "The assertion is signed, with SHA-256" },
					{
						title: "Who can sign in",
						value:
							emailDomains.length === 0 ? (
								<span className="muted">Nobody</span>
							) : (
								`People with an email of ${emailDomains.join(", ")}`
							),
					},
				]}
			/>
		</Card>
	);
}

function IdentityProvider({ connection }: { connection: SamlConnection }) {
	const may = useMayInTenant();
	const isOwner = useIsOwner();
	const { identityProvider } = connection;
	if (identityProvider) return <IdentityProviderCard identityProvider={identityProvider} />;
	const mayConnect = may("saml:set") && isOwner;
	return mayConnect ? (
		<Card title="Identity provider" hint="None is connected yet. Enter what it shows for the app.">
			<IdentityProviderForm stored={null} />
		</Card>
	) : (
		<EmptyState title="No identity provider yet">Only an owner can connect one.</EmptyState>
	);
}
