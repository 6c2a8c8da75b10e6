// SPDX-License-Identifier: Apache-2.0
import theme from 'vitepress/theme';
import './tables.css';

export default theme;
