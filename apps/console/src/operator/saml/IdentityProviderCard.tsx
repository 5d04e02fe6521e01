import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { formatDate } from "../../format";
import { Button } from "../../ui/Button";
import { ConfirmByTyping, Dialog } from "../../ui/Dialog";
import { Badge, Notice } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import { type SamlCertificate, type SamlIdentityProvider, samlKey } from "../api/saml";
import { useIsOwner, useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { DetailList, Time, Url } from "../details";
import { expiryState, lastCertificate } from "./certificate-expiry";
import { FetchAgain } from "./FetchAgain";
import { IdentityProviderForm } from "./IdentityProviderForm";
import { TestDialog } from "./TestDialog";

type CardProps = { identityProvider: SamlIdentityProvider };

export function IdentityProviderCard({ identityProvider }: CardProps) {
	const may = useMayInTenant();
	const isOwner = useIsOwner();
	const [openDialog, setOpenDialog] = useState<"replace" | "test" | "remove">();
	const close = () => setOpenDialog(undefined);
	const { entityId, signInUrl, certificates, attributes, roles, metadataUrl } = identityProvider;
	return (
		<Card title="Identity provider" hint={isOwner ? undefined : "Only an owner can change this."}>
			<ExpiryNotice certificates={certificates} />
			<LoadNotice identityProvider={identityProvider} />
			<DetailList
				details={[
					{ title: "Entity ID", value: <Url>{entityId}</Url> },
					{ title: "Sign-in URL", value: <Url>{signInUrl}</Url> },
					{ title: "Metadata from", value: <MetadataSource identityProvider={identityProvider} /> },
					{
						title: certificates.length === 1 ? "Certificate" : "Certificates",
						value: <Certificates certificates={certificates} />,
					},
					{
						title: "Email from",
						value: (
							<>
								<code>{attributes.email ?? "email"}</code>, or the name ID
							</>
						),
					},
					{
						title: "Name from",
						value: (
							<>
								<code>givenName</code> and <code>surname</code>, or{" "}
								<code>{attributes.name ?? "displayName"}</code>
							</>
						),
					},
					{
						title: "Role from",
						value: attributes.role ? (
							<Roles attribute={attributes.role} roles={roles} />
						) : (
							"Nothing"
						),
					},
				]}
			/>
			<div className="row">
				{isOwner && may("saml:set") && (
					<Button onClick={() => setOpenDialog("replace")}>Change</Button>
				)}
				{may("saml:test") && <Button onClick={() => setOpenDialog("test")}>Test</Button>}
				{isOwner && may("saml:refresh") && metadataUrl !== null && <FetchAgain />}
				{isOwner && may("saml:remove") && (
					<Button kind="quiet" onClick={() => setOpenDialog("remove")}>
						Remove
					</Button>
				)}
			</div>
			<Dialog
				title="Change the identity provider"
				open={openDialog === "replace"}
				onClose={close}
				wide
			>
				<IdentityProviderForm stored={identityProvider} onClose={close} />
			</Dialog>
			<TestDialog open={openDialog === "test"} onClose={close} />
			<RemoveDialog open={openDialog === "remove"} onClose={close} />
		</Card>
	);
}

function MetadataSource({ identityProvider: { metadataUrl, load } }: CardProps) {
	if (metadataUrl === null) return "XML that somebody pasted";
	return (
		<>
			<Url>{metadataUrl}</Url>
			{load && (
				<span className="small muted subtext">
					Checked <Time timestamp={load.checkedAt} />
				</span>
			)}
		</>
	);
}

/** People can still sign in, until the identity provider uses a certificate that is not saved. */
function LoadNotice({ identityProvider: { load } }: CardProps) {
	if (!load?.problem) return null;
	const { message, since } = load.problem;
	return (
		<Notice kind="warning">
			The metadata URL has had a problem since {formatDate(since)}. {message}. What was saved before
			stays in use.
		</Notice>
	);
}

type RolesProps = { attribute: string; roles: Record<string, string> };

function Roles({ attribute, roles }: RolesProps) {
	return (
		<>
			<code>{attribute}</code>
			<ul className="certificates">
				{Object.entries(roles).map(([group, role]) => (
					<li key={group}>
						<span className="break">{group}</span>: {role}
					</li>
				))}
			</ul>
		</>
	);
}

type CertificatesProps = { certificates: SamlCertificate[] };

/** The end of the last certificate is the end of all sign-ins. */
function ExpiryNotice({ certificates }: CertificatesProps) {
	const last = lastCertificate(certificates);
	if (!last) return null;
	const date = formatDate(last.expiresAt);
	const state = expiryState(last);
	if (state === "expired") {
		return (
			<Notice kind="danger">
				The certificate expired on {date}. When the identity provider uses a new one, nobody can
				sign in. Replace the metadata.
			</Notice>
		);
	}
	if (state === "soon") {
		return (
			<Notice kind="warning">
				The certificate expires on {date}. Replace the metadata before the identity provider uses a
				new one.
			</Notice>
		);
	}
	return null;
}

function Certificates({ certificates }: CertificatesProps) {
	return (
		<ul className="certificates">
			{certificates.map((certificate) => (
				<li key={certificate.fingerprint}>
					<Expiry certificate={certificate} />
					<span className="small muted subtext">
						SHA-256 <code className="break">{certificate.fingerprint}</code>
					</span>
				</li>
			))}
		</ul>
	);
}

function Expiry({ certificate }: { certificate: SamlCertificate }) {
	const date = formatDate(certificate.expiresAt);
	const state = expiryState(certificate);
	if (state === "expired") return <Badge kind="danger">Expired {date}</Badge>;
	if (state === "soon") return <Badge kind="warning">Expires {date}</Badge>;
	return <>Expires {date}</>;
}

type RemoveDialogProps = { open: boolean; onClose: () => void };

function RemoveDialog({ open, onClose }: RemoveDialogProps) {
	const tenant = useTenant();
	const { removeSaml } = useApi();
	const remove = useApiMutation({
		mutationFn: () => removeSaml(tenant.id),
		successMessage: "The identity provider was removed.",
		invalidate: [samlKey(tenant.id)],
		onSuccess: onClose,
	});
	return (
		<ConfirmByTyping
			title="Remove the identity provider?"
			expected={tenant.slug}
			action="Remove SAML"
			open={open}
			mutation={remove}
			onClose={onClose}
		>
			<p>
				Nobody can sign in at it any more. Users and their sessions stay. People without a password
				need another way to sign in.
			</p>
		</ConfirmByTyping>
	);
}
