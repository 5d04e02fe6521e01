import DefaultTheme from "vitepress/theme";
import HomeLayout from "./HomeLayout.vue";
import "./file-names.css";
import "./home.css";

export default { extends: DefaultTheme, Layout: HomeLayout };
