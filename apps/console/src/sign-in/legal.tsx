import type { Branding } from "better-auth-tenant/rules";
import { useTenant } from "./tenant-context";
import { useTexts } from "./texts/texts";

/** The links of a footer. A tenant that has neither page has no links. */
export function LegalLinks({ termsUrl, privacyUrl }: Branding) {
	const { legal } = useTexts();
	if (!termsUrl && !privacyUrl) return null;
	return (
		<p className="auth-links small">
			{termsUrl && <OtherSite url={termsUrl}>{legal.terms}</OtherSite>}
			{privacyUrl && <OtherSite url={privacyUrl}>{legal.privacy}</OtherSite>}
		</p>
	);
}

/** What somebody accepts who signs up, here or at a provider. */
export function AcceptedBySignUp() {
	const { termsUrl, privacyUrl } = useTenant().options.branding;
	const { legal } = useTexts();
	const terms = termsUrl && <OtherSite url={termsUrl}>{legal.theTerms}</OtherSite>;
	const privacy = privacyUrl && <OtherSite url={privacyUrl}>{legal.thePrivacy}</OtherSite>;
	if (!terms && !privacy) return null;
	const both = terms && privacy ? legal.acceptBoth : undefined;
	const [start, middle, end] = (both ?? (terms ? legal.acceptTerms : legal.acceptPrivacy)).split(
		"{}",
	);
	return (
		<p className="muted small">
			{start}
			{terms || privacy}
			{middle}
			{both && privacy}
			{end}
		</p>
	);
}

type OtherSiteProps = { url: string; children: string };

/** In a tab of its own: what the user has typed stays. That page learns nothing about this one. */
const OtherSite = ({ url, children }: OtherSiteProps) => (
	<a href={url} target="_blank" rel="noopener noreferrer">
		{children}
	</a>
);
