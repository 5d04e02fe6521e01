import { LANGUAGES, type Language } from "./texts/languages";
import { useLanguage, useTexts } from "./texts/texts";

/** Each language has its own name, so that people find theirs on a page that they cannot read. */
export function LanguageSelect() {
	const { language, choose } = useLanguage();
	const { layout } = useTexts();
	return (
		<select
			className="language-select small"
			aria-label={layout.language}
			value={language}
			onChange={({ target }) => void choose(target.value as Language)}
		>
			{Object.entries(LANGUAGES).map(([code, name]) => (
				<option key={code} value={code} lang={code}>
					{name}
				</option>
			))}
		</select>
	);
}
